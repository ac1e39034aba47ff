extension Quantity {
  /// Reads what the screens print: `12`, `1.2k`, `3M`, `12 345`, `50 %` as 0.5, and lengths of
  /// time: `87µs`, `3.2 ms`, `5s`, `7.705 123 s`, `4m 05s`, `2h 11m`, `3d`.
  ///
  /// - Returns: The number, in nanoseconds for a length of time; nil if the text is neither.
  package static func number(_ text: String) -> Double? {
    let text = text.trimmingBlanks
    if let plain = Double(text.filter { $0 != " " }), plain.isFinite { return plain }
    var total = 0.0
    var rest = Substring(text)
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isNumber || $0 == "." || $0 == "-" || $0 == " " }
      guard let value = Double(digits.filter { $0 != " " }), value.isFinite else { return nil }
      rest = rest[digits.endIndex...]
      let unit = rest.prefix { $0.isLetter || $0 == "µ" || $0 == "%" }
      guard let factor = units[String(unit)] else { return nil }
      total += value * factor
      rest = rest[unit.endIndex...].drop { $0 == " " }
    }
    return text.isEmpty ? nil : total
  }

  /// Reads a length of time; a number without a unit is in seconds.
  package static func length(_ text: String) -> Duration? {
    guard let number = number(text) else { return nil }
    let hasUnit = text.contains { $0.isLetter }
    let nanoseconds = hasUnit ? number : number * 1e9
    guard abs(nanoseconds) < 9e18 else { return nil }
    return .nanoseconds(Int64(nanoseconds.rounded()))
  }

  private static let units: [String: Double] = [
    "ns": 1, "µs": 1e3, "us": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "min": 60e9, "h": 3600e9,
    "d": 86_400e9, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "%": 0.01,
  ]
}
