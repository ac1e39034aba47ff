extension Double {
  /// The number with exactly `places` digits after the point.
  func text(places: Int) -> String {
    guard isFinite else { return "?" }
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((magnitude * Double(scale)).rounded())
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % scale)
    return "\(sign)\(scaled / scale)."
      + String(repeating: "0", count: places - fraction.count) + fraction
  }

  /// The number with about three digits.
  var figure: String { text(places: magnitude < 10 ? 2 : 1) }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
  func indented(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
