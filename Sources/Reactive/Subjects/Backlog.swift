/// What happens to threads that send to a subject faster than its subscribers handle the values.
///
/// Values that are sent while a thread delivers another value wait in a queue, and that thread
/// delivers them next (<doc:EventContract>, rule 3). If several threads send faster than the
/// subscribers handle the values, that queue grows for as long as they keep sending.
///
/// ```swift
/// let lines = Subject<String, Never>(backlog: .limited(to: 10_000))
/// ```
public struct Backlog: Sendable {
  let limit: Int

  /// Senders give way while more than a thousand events wait.
  public static var limited: Backlog { Backlog(limit: 1000) }

  /// Senders give way while more than `limit` events wait: a `send` from outside the delivery then
  /// returns later, by one millisecond per multiple of the limit, but at most a tenth of a second.
  ///
  /// Whatever the limit, they also give way for a millisecond when other threads have sent more than
  /// 64 events during one delivery.
  ///
  /// A sender waits for a bounded time, and only after its value was put into the queue, because
  /// the sender may hold a lock that a handler needs. The queue can grow beyond the limit, but
  /// slowly. A `send` by a handler inside a delivery of this subject is not delayed, and neither
  /// are subscribing and disposing.
  ///
  /// - Parameter limit: At least 1.
  /// - Returns: A backlog with this limit, for one subject.
  public static func limited(to limit: Int) -> Backlog {
    precondition(limit >= 1, "Backlog.limited(to: \(limit)): the limit must be ≥ 1 (Backlog)")
    return Backlog(limit: limit)
  }

  /// Senders never wait, and never take over the delivery from the thread that is delivering.
  ///
  /// That thread delivers what other threads send for as long as they send, and the queue can grow
  /// without a bound.
  public static var unlimited: Backlog { Backlog(limit: 0) }
}
