/// Estimates how large a ring, which overwrites its oldest records when it is full, has to be to
/// cover a given time.
package enum RingEstimate {
  /// The size of the largest possible ring, in bytes.
  package static var largest: UInt64 { 16 << 30 }

  /// The size in bytes of a ring that would cover `wish`, given that one of `size` bytes covers
  /// `span`; nil if no ring is large enough.
  ///
  /// Assumes that data is written a tenth faster than so far. The result is rounded up to whole
  /// megabytes with at most two significant digits.
  package static func size(for wish: Duration, where size: UInt64, lasts span: Duration) -> UInt64?
  {
    let factor = 1.1 * (wish / max(span, .nanoseconds(1)))
    let megabytes = (Double(size) * factor / 1_048_576).rounded(.up)
    guard megabytes <= Double(largest >> 20) else { return nil }
    var step: UInt64 = 1
    while UInt64(megabytes) / step >= 100 { step *= 10 }
    let rounded = (UInt64(megabytes) + step - 1) / step * step << 20
    return min(max(rounded, 1 << 20), largest)
  }

  /// A sentence such as `30 s would take size=160M`, or one that says that no ring is large enough.
  ///
  /// ``text(_:)`` formats the time.
  package static func sentence(for seconds: UInt32, _ size: UInt64?) -> String {
    guard let size else {
      return
        "\(text(seconds)) is more than the largest ring (size=16G) would keep; mode=stream keeps all"
    }
    return "\(text(seconds)) would take size=\(text(bytes: size))"
  }

  /// In the format of `RXTRACE`: `256K`, `160M`.
  package static func text(bytes: UInt64) -> String {
    bytes % (1 << 20) == 0 ? "\(bytes >> 20)M" : "\(bytes >> 10)K"
  }

  /// For example `30 s`, `5 min`, `2 h`.
  package static func text(_ seconds: UInt32) -> String {
    if seconds > 0, seconds % 3600 == 0 { return "\(seconds / 3600) h" }
    if seconds > 0, seconds % 60 == 0 { return "\(seconds / 60) min" }
    return "\(seconds) s"
  }
}
