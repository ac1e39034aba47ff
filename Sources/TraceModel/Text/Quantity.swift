/// Numbers with their units, short enough for a column.
package enum Quantity {
  /// The text for a number that the trace does not have.
  package static let unknown = "?"

  /// `0`, `999`, `12 345`, then `123k`, `1.2M`: at most six columns.
  package static func count(_ value: UInt64?) -> String {
    guard let value else { return unknown }
    switch value {
    case ..<10_000: return "\(value)"
    case ..<100_000: return "\(value / 1000) \(padded(value % 1000, 3))"
    case ..<1_000_000: return "\(value / 1000)k"
    default: return scaled(Double(value) / 1_000_000, ["M", "G", "T", "P"])
    }
  }

  /// The same for a signed number.
  package static func count(_ value: Int?) -> String {
    guard let value else { return unknown }
    return value < 0 ? "-" + count(value.magnitude) : count(UInt64(value))
  }

  /// With a sign: `+12`, `-3`, `0`.
  package static func change(_ value: Int?) -> String {
    guard let value, value > 0 else { return count(value) }
    return "+" + count(value)
  }

  package static func count(_ value: UInt?) -> String { count(value.map(UInt64.init)) }

  /// Per second: `0`, `0.3`, `12`, `4.1k`.
  package static func rate(_ value: Double?) -> String {
    guard let value, value.isFinite else { return unknown }
    switch abs(value) {
    case ..<0.05: return "0"
    case ..<10: return tenths(value)
    case ..<1000: return "\(Int(value.rounded()))"
    default: return scaled(value / 1000, ["k", "M", "G"])
    }
  }

  /// `0.3%`, `87%`, `240%`.
  package static func percent(_ value: Double?) -> String {
    guard let value, value.isFinite else { return unknown }
    let percent = value * 100
    return percent >= 9.95 || percent == 0
      ? "\(whole(percent))%" : "\(rate(percent))%"
  }

  /// `0 s`, `87 µs`, `3.2 ms`, `12 s`, `4m 05s`, `2h 11m`, `3d 04h`: at most seven columns.
  package static func duration(_ value: Duration?) -> String {
    guard let value else { return unknown }
    if value < .zero { return "-" + duration(.zero - value) }
    let (seconds, attoseconds) = value.components
    if seconds >= 60 { return long(seconds) }
    let fraction = Double(attoseconds) / 1e18
    if seconds > 0 || fraction >= 0.9995 {
      let exact = Double(seconds) + fraction
      return exact < 9.95 ? "\(tenths(exact)) s" : "\(Int(min(59, exact.rounded()))) s"
    }
    let microseconds = fraction * 1e6
    if microseconds < 0.5 { return "0 s" }
    if microseconds < 999.5 { return "\(Int(microseconds.rounded())) µs" }
    let milliseconds = microseconds / 1000
    return milliseconds < 9.95 ? "\(tenths(milliseconds)) ms" : "\(Int(milliseconds.rounded())) ms"
  }

  /// A moment since the beginning: `12.345 s`, `4:05.123`, `2:11:04.250`.
  package static func moment(_ value: Duration) -> String { moment(value, isExact: false) }

  /// The same to the microsecond: `12.345 678 s`, `4:05.123 456`.
  package static func exactMoment(_ value: Duration) -> String { moment(value, isExact: true) }

  private static func moment(_ value: Duration, isExact: Bool) -> String {
    let (seconds, attoseconds) = max(.zero, value).components
    let microseconds = UInt64(attoseconds / 1_000_000_000_000)
    let fraction =
      padded(microseconds / 1000, 3) + (isExact ? " " + padded(microseconds % 1000, 3) : "")
    let total = UInt64(seconds)
    if total < 60 { return "\(total).\(fraction) s" }
    let tail = "\(padded(total % 60, 2)).\(fraction)"
    if total < 3600 { return "\(total / 60):\(tail)" }
    return "\(total / 3600):\(padded(total / 60 % 60, 2)):\(tail)"
  }

  /// `1 site`, `2 sites`, `? sites`.
  package static func of(_ value: Int?, _ one: String, _ many: String) -> String {
    "\(count(value)) \(value == 1 ? one : many)"
  }

  /// `98 MB`, `1.7 MB`, `640 kB`: decimal, as on disks.
  package static func bytes(_ value: Int) -> String {
    scaled(Double(max(0, value)), [" B", " kB", " MB", " GB", " TB"])
  }

  /// `+3.2 MiB`, `-640 KiB`, `+0 B`: binary, as the system counts memory.
  package static func memoryChange(_ value: Int64) -> String {
    (value < 0 ? "-" : "+") + memory(value.magnitude)
  }

  /// `3.2 MiB`.
  package static func memory(_ value: UInt64) -> String {
    if value < 1024 { return "\(value) B" }
    return scaled(Double(value) / 1024, [" KiB", " MiB", " GiB", " TiB", " PiB"], by: 1024)
  }

  private static func long(_ seconds: Int64) -> String {
    let seconds = UInt64(seconds)
    if seconds < 3600 { return "\(seconds / 60)m \(padded(seconds % 60, 2))s" }
    if seconds < 86_400 { return "\(seconds / 3600)h \(padded(seconds / 60 % 60, 2))m" }
    if seconds < 8_640_000 { return "\(seconds / 86_400)d \(padded(seconds / 3600 % 24, 2))h" }
    return "\(seconds / 86_400)d"
  }

  private static func scaled(_ value: Double, _ units: [String], by step: Double = 1000) -> String {
    var value = value
    var unit = 0
    while value >= 999.5, unit + 1 < units.count {
      value /= step
      unit += 1
    }
    return (value < 9.95 ? tenths(value) : "\(whole(value))") + units[unit]
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = whole(abs(value) * 10)
    return "\(value < 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
  }

  /// The nearest whole number; a damaged trace may contain any figure.
  private static func whole(_ value: Double) -> Int {
    Int(min(max(value.rounded(), -0x1p62), 0x1p62))
  }

  private static func padded(_ value: UInt64, _ digits: Int) -> String {
    let text = "\(value)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
