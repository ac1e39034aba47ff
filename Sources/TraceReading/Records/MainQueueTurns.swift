/// Which threads run the main queue, as records tell that are taken one after the other, in their order.
///
/// After `dispatchMain`, or in an `async` main function, any thread serves the main queue. What the library's own schedulers
/// run there is work of a scheduler; of the rest, ``/TraceFormat/RecordKind/runsOn`` tells since version 1.6, where a delivery begins.
public struct MainQueueTurns: Sendable {
  /// The kinds of records that it takes something from.
  public static let kinds: [RecordKind] = [.runsOn, .turnBegan, .turnEnded]

  /// What each thread has said last.
  private var onMainQueue: [UInt32: Bool] = [:]
  /// The turns under way on each thread, the innermost last.
  private var turns: [UInt32: [(entity: TraceID, onMainQueue: Bool?)]] = [:]

  /// Nothing is known yet.
  public init() {}

  /// Takes the next record; those of other kinds are nothing to it.
  public mutating func take(_ record: TraceRecord) {
    switch record.kind {
    case .runsOn: onMainQueue[record.thread] = record.isOnMainQueue
    case .turnBegan:
      // One that is there already has ended, in a record that is missing.
      close(record)
      turns[record.thread, default: []].append((record.entity, onMainQueue[record.thread]))
    case .turnEnded: close(record)
    default: break
    }
  }

  /// Whether what a thread delivers now, outside of a scheduler's work, is on the main queue; nil where that is not known.
  ///
  /// Nothing is recorded about the main thread.
  public func isOnMainQueue(_ thread: UInt32) -> Bool? { turns[thread]?.last?.onMainQueue }

  private mutating func close(_ record: TraceRecord) {
    guard let place = turns[record.thread]?.lastIndex(where: { $0.entity == record.entity }) else {
      return
    }
    turns[record.thread]?.removeSubrange(place...)
  }
}
