import Dispatch
import Synchronization

/// The counts of a window of the requests to one route.
struct Summary: Sendable {
  /// The number of requests in a window.
  static let windowCount = 50

  var route: String
  var requests = 0
  var failures = 0
  var total = 0
  var slowest = 0

  init(_ route: String) { self.route = route }

  mutating func add(_ entry: Entry) {
    requests += 1
    failures += entry.status >= 500 ? 1 : 0
    total += entry.took
    slowest = max(slowest, entry.took)
  }
}

/// Receives summaries, one at a time, in any order.
final class Sink: Sendable {
  private let state = Mutex((count: 0, checksum: 0))

  var count: Int { state.withLock { $0.count } }
  var checksum: Int { state.withLock { $0.checksum } }

  /// Receives a summary, with the number of failures of its route so far.
  func take(_ summary: Summary, _ failures: Int) {
    let sum =
      summary.route.utf8.count + summary.requests &* 3 + summary.failures &* 5
      + summary.total &* 7 + summary.slowest &* 11 + failures &* 13
    state.withLock {
      $0.count += 1
      $0.checksum = ($0.checksum &+ sum) & 0xFFFF_FFFF
    }
  }

  /// Notes that the fraction of failures among the latest requests has become high or low.
  func alarm(_ isHigh: Bool) {
    state.withLock { $0.checksum = ($0.checksum &+ (isHigh ? 17 : 19)) & 0xFFFF_FFFF }
  }
}
