internal import Glibc
internal import InspectorUI

/// A terminal that types keys, and measures the processor time from each key until the next key is
/// requested.
struct KeyClock: Terminal {
  let size = Size(columns: 120, rows: 40)
  /// The milliseconds that each key took, by its purpose.
  private(set) var times: [String: [Double]] = [:]
  private var keys: [(key: Key, purpose: String)] = []
  private var next = 0
  private var begun = 0.0

  /// Creates a terminal that types these keys first; their times are not reported.
  init(_ keys: String) { type(keys, "") }

  /// Adds keys to the keys that will be typed.
  mutating func type(_ keys: String, _ purpose: String) {
    self.keys += Key.script(keys).map { ($0, purpose) }
  }

  mutating func nextMessage(before deadline: ContinuousClock.Instant) -> TerminalMessage? {
    if next > 0 { times[keys[next - 1].purpose, default: []].append(Self.processorTime - begun) }
    guard next < keys.count else { return .ended }
    next += 1
    begun = Self.processorTime
    return .key(keys[next - 1].key)
  }

  func present(_ frame: Frame) {}

  /// The processor time of this process, in milliseconds.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}
