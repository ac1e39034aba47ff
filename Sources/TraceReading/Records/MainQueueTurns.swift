/// Determines which threads run the main queue, from records that are passed to ``process(_:)`` in
/// order.
///
/// A *turn* is a delivery through a gate, where events of several senders are put in order.
///
/// After `dispatchMain`, or in an `async` main function, any thread may serve the main queue. For
/// work of the library's schedulers, this follows from the scheduler. For other deliveries, since
/// version 1.6, a record ``/TraceFormat/RecordKind/runsOn`` before the delivery says whether the
/// thread runs the main queue.
public struct MainQueueTurns: Sendable {
  /// The kinds of records that it needs.
  public static let kinds: [RecordKind] = [.runsOn, .turnBegan, .turnEnded]

  /// The content of the last `runsOn` record of each thread.
  private var onMainQueue: [UInt32: Bool] = [:]
  /// The turns in progress on each thread, the innermost last.
  private var turns: [UInt32: [(entity: TraceID, onMainQueue: Bool?)]] = [:]

  /// Creates a state in which nothing is known yet.
  public init() {}

  /// Processes the next record; records of other kinds are ignored.
  public mutating func process(_ record: TraceRecord) {
    switch record.kind {
    case .runsOn: onMainQueue[record.thread] = record.isOnMainQueue
    case .turnBegan:
      // If a turn of the entity is still open, it has ended by now, and the record of its end is
      // missing.
      close(record)
      turns[record.thread, default: []].append((record.entity, onMainQueue[record.thread]))
    case .turnEnded: close(record)
    default: break
    }
  }

  /// Whether the current delivery of a thread, outside of a scheduler's work, is on the main queue;
  /// nil if this is unknown.
  ///
  /// Nothing about this is recorded for the main thread.
  public func isOnMainQueue(_ thread: UInt32) -> Bool? { turns[thread]?.last?.onMainQueue }

  private mutating func close(_ record: TraceRecord) {
    guard let place = turns[record.thread]?.lastIndex(where: { $0.entity == record.entity }) else {
      return
    }
    turns[record.thread]?.removeSubrange(place...)
  }
}
