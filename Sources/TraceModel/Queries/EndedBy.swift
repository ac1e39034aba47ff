package import TraceReading

/// The cause of a subscription's end.
///
/// Only this type finds the cause in the records and puts it into words.
package struct EndedBy {
  /// What kind of thing caused the end.
  package let cause: EndCause
  /// The owner, operator or subscription that ended it; `.none` if the trace has no such entity.
  package let by: TraceID
  /// The subscription downstream of all those that this cause ended; `.none` if there is none, or
  /// it is not known.
  package let downstream: TraceID
  /// The asynchronous backtrace of the code that ended it; 0 if that is unknown.
  package let chain: UInt32
  /// The row of the record that states the cause.
  package let row: Int

  private init?(_ record: TraceRecord, _ row: Int) {
    guard let tearDown = record.tearDown, let cause = tearDown.cause, cause != .unknown else {
      return nil
    }
    self.cause = cause
    by = tearDown.by
    downstream = tearDown.downstream
    chain = tearDown.chain
    self.row = row
  }

  // MARK: Finding

  /// The maximum number of records that are searched.
  private static let limit = 1 << 14

  /// Finds what ended the subscription whose end is recorded in a row; nil if it is unknown.
  ///
  /// The record of the cause precedes the record of the end in the same segment (a block of records
  /// written by one thread), with no unrelated and no missing record between them.
  package init?(ofEndIn row: Int, _ records: TraceRecords) {
    var next = records[row]
    guard next.kind == .ended else { return nil }
    if next.tearDown != nil {
      self.init(next, row)
      return
    }
    let epoch = Packing.position(ofRecord: next.number).epoch
    for place in (max(0, row - Self.limit)..<row).reversed() {
      let record = records[place]
      guard Packing.position(ofRecord: record.number).epoch == epoch else { continue }
      guard record.number &+ UInt64(record.length) == next.number else { return nil }
      switch record.kind {
      case .tearDown:
        self.init(record, place)
        return
      case .ended where record.tearDown != nil: return nil
      case .ended, .failed, .completed, .subscriptionReleased, .entityStatus: next = record
      default: return nil
      }
    }
    return nil
  }

  /// The row of the record of a subscription's end, which comes after a row at which it was alive;
  /// nil if there is no such record.
  package static func end(of id: TraceID, after row: Int, _ records: TraceRecords) -> Int? {
    let found = records.firstRow(of: ends, from: row) { $0.entity == id }
    return found.flatMap { records[$0].kind == .ended ? $0 : nil }
  }

  /// The kind of record of an end, and the kinds after which the identifier refers to another
  /// entity.
  private static let ends = RecordKinds([.ended, .subscribed, .signalCreated, .timerArmed])

  /// The row of the last value or terminal event that the operator received before it ended its
  /// upstream, and that caused the end; nil if no record shows it.
  ///
  /// - Parameters:
  ///   - snapshot: The trace.
  ///   - isInput: Whether a subscription is the operator's own or one of its inputs.
  /// - Returns: The row of the record.
  package func trigger(_ snapshot: TraceSnapshot, _ isInput: (TraceID) -> Bool) -> Int? {
    var found: Int?
    walkBack(snapshot) { record, place in
      switch record.kind {
      case .next, .failed, .completed:
        if isInput(record.entity) { found = place }
        return found == nil
      default: return true
      }
    }
    return found
  }

  /// For a subscription that an event ended: what had ended the subscriptions upstream of it just
  /// before; nil if there are none, as for a source.
  package func upstreamEnd(_ snapshot: TraceSnapshot) -> EndedBy? {
    guard cause == .event else { return nil }
    var found: EndedBy?
    walkBack(snapshot) { record, place in
      guard let event = record.tearDown, event.downstream == by,
        event.cause == .event || (event.cause == .operator && event.by == by)
      else { return true }
      found = EndedBy(record, place)
      return false
    }
    return found
  }

  /// The row of the `hop-began` record of the scheduled work in which the subscription ended; nil
  /// if it did not end in scheduled work, or if there is no such record.
  package func hop(_ snapshot: TraceSnapshot) -> Int? {
    var found: Int?
    walkBack(snapshot) { record, place in
      if record.kind == .hopBegan { found = place }
      return found == nil
    }
    return found
  }

  /// Walks backwards over what the thread did before, in the same segment and the same work, until
  /// `body` returns false.
  ///
  /// Work and deliveries that had already returned are skipped.
  private func walkBack(
    _ snapshot: TraceSnapshot,
    _ body: (_ record: TraceRecord, _ row: Int) -> Bool
  ) {
    let records = snapshot.records
    let tearDown = records[row]
    let epoch = Packing.position(ofRecord: tearDown.number).epoch
    guard tearDown.thread != 0,
      snapshot.segments.first(where: { $0.epoch == epoch })?.isDamaged != true
    else { return }
    // The number of deliveries and pieces of work that had already returned.
    var over = 0
    for place in (max(0, row - Self.limit)..<row).reversed() {
      let record = records[place]
      guard Packing.position(ofRecord: record.number).epoch == epoch,
        record.thread == tearDown.thread
      else { continue }
      switch record.kind {
      case .recordsLost: return
      case .turnEnded, .hopEnded: over += 1
      case .turnBegan, .hopBegan:
        if over > 0 {
          over -= 1
          continue
        }
        if !body(record, place) || record.kind == .hopBegan { return }
      default: if over == 0, !body(record, place) { return }
      }
    }
  }

  // MARK: Wording

  /// The text after a reason, as in "cancelled, ended by take@Search.swift:12"; empty if the reason
  /// says everything.
  ///
  /// - Parameters:
  ///   - id: The subscription that ended.
  ///   - name: Returns the name of a subscription or an owner.
  /// - Returns: The text without the reason.
  package func phrase(
    of id: TraceID,
    _ reason: EndReason?,
    _ name: (TraceID) -> String
  ) -> String {
    let who = by == .none ? "something that the trace does not show" : name(by)
    return switch cause {
    case .unknown: ""
    case .disposed: "disposed of by the program"
    case .owner: "disposed of by its owner \(who)"
    // An operator that ends because an object is gone does not end for a reason of its own.
    case .operator where by == id: reason == .ownerGone ? "" : "ended by itself"
    case .operator: "ended by \(who)"
    case .downstream: "ended with \(who) below it"
    case .event: by == id ? "" : "by an event of \(who)"
    case .released: "as its last reference was released"
    case .task: "as its task no longer waits"
    case .late: "begun for \(who) after that needed it no longer"
    }
  }
}
