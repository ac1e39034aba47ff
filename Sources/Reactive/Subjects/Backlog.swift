/// What becomes of those who send to a subject when more is sent than is handled.
///
/// What is sent while another value is being handled waits in a queue, and whoever is inside delivers it (contract
/// rule 3). Several threads that send faster than the subscribers handle it let that queue grow, as long as they do.
///
/// ```swift
/// let lines = Subject<String, Never>(backlog: .limited(to: 10_000))
/// ```
public struct Backlog: Sendable {
  let limit: Int

  /// Those who send give way where more than a thousand events wait.
  public static var limited: Backlog { Backlog(limit: 1000) }

  /// Those who send give way where more events wait than that: a `send` from outside the delivery returns a
  /// millisecond later for each time that the limit is exceeded, at most a tenth of a second.
  ///
  /// It waits a bounded time, and only after its value was put into the queue: it may hold a lock that a handler needs.
  /// The queue can grow beyond the limit, but slowly. What a handler sends from inside a delivery of this subject is not held up.
  /// Subscribing, disposing and ending are not either.
  ///
  /// - Parameter limit: At least 1.
  /// - Returns: A bound for one subject.
  public static func limited(to limit: Int) -> Backlog {
    precondition(limit >= 1, "Backlog.limited(to: \(limit)): the limit must be ≥ 1 (Backlog)")
    return Backlog(limit: limit)
  }

  /// Nobody who sends ever waits, nor takes over from the thread that delivers: this delivers what others send
  /// as long as they do, and the queue grows without a bound.
  public static var unlimited: Backlog { Backlog(limit: 0) }
}
