import Dispatch
import Synchronization

/// What was counted in a window of the requests to one route.
struct Summary: Sendable {
  /// Requests in a window.
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

/// Where summaries go: one at a time, in any order.
final class Sink: Sendable {
  private let state = Mutex((count: 0, checksum: 0))

  var count: Int { state.withLock { $0.count } }
  var checksum: Int { state.withLock { $0.checksum } }

  /// A summary, with the failures of its route until then.
  func take(_ summary: Summary, _ failures: Int) {
    let sum =
      summary.route.utf8.count + summary.requests &* 3 + summary.failures &* 5
      + summary.total &* 7 + summary.slowest &* 11 + failures &* 13
    state.withLock {
      $0.count += 1
      $0.checksum = ($0.checksum &+ sum) & 0xFFFF_FFFF
    }
  }

  /// The share of failures among the latest thousand requests has become another.
  func alarm(_ isHigh: Bool) {
    state.withLock { $0.checksum = ($0.checksum &+ (isHigh ? 17 : 19)) & 0xFFFF_FFFF }
  }
}
