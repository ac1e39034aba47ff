import TraceModel
import TraceReading

/// The end of a stage that was caused by the last value that it received.
///
/// Nothing is concluded if an event from another input, or the end of an upstream stage, came in
/// between, because either can end the stage as well. Nor is anything concluded if the thread that
/// delivered the value had returned from the delivery or begun other work.
struct EndByValue {
  /// The number of the record of the end.
  let number: UInt64
  /// Whether the stage failed; otherwise it completed.
  let isFailure: Bool
  /// The type of the error; empty if the stage completed, or the type is not known.
  var error = ""

  /// The end of the stage that received a value; nil if the value is not known to have caused it.
  ///
  /// - Complexity: O(records of the delivery).
  static func of(
    _ stage: TraceID,
    at place: Int,
    _ facts: FindingFacts,
    _ store: EntityStore
  ) -> EndByValue? {
    let value = facts.records[place]
    guard value.thread != 0 else { return nil }
    var gaps = facts.gaps
    _ = gaps.followsGap(value)
    // The number of deliveries that have begun since and not ended.
    var turns = 0
    for record in facts.records[(place + 1)...] {
      if record.kind == .next, record.entity == value.entity { return nil }
      guard record.thread == value.thread else { continue }
      if gaps.followsGap(record) { return nil }
      switch record.kind {
      case .failed where record.entity == stage:
        let error = facts.string(record.argument)
        return EndByValue(number: record.number, isFailure: true, error: error)
      case .completed where record.entity == stage:
        return EndByValue(number: record.number, isFailure: false)
      case .next, .failed, .completed:
        if store.subscription(record.entity, at: place)?.link == stage { return nil }
      case .subscribed:
        if record.subscribing?.downstream == stage { return nil }
      case .ended, .disposeRequested:
        if record.entity == stage { return nil }
      case .turnBegan: turns += 1
      case .turnEnded:
        if turns == 0 { return nil }
        turns -= 1
      case .hopBegan, .hopEnded: return nil
      default: break
      }
    }
    return nil
  }
}
