import TraceModel
import TraceReading

/// The end of a stage by a value, the last thing that it was given before.
///
/// What it was given by others, and the ends of what stands above it, end a stage as well: where one of these came in
/// between, nothing is said. Nor where the thread that gave the value had turned to something else.
struct EndByValue {
  /// The record that tells.
  let number: UInt64
  /// Whether it failed, rather than that it completed.
  let isFailure: Bool
  /// The type of the error; empty where it is not known.
  var error = ""

  /// The end of the stage below a value; nil if it is not known to be by that.
  ///
  /// O(records of the delivery).
  static func of(
    _ stage: TraceID,
    at place: Int,
    _ facts: FindingFacts,
    _ store: EntityStore
  ) -> EndByValue? {
    let value = facts.records[place]
    guard value.thread != 0 else { return nil }
    var gaps = facts.gaps
    _ = gaps.isBehindOne(value)
    // Deliveries that have begun since and go on.
    var turns = 0
    for record in facts.records[(place + 1)...] {
      if record.kind == .next, record.entity == value.entity { return nil }
      guard record.thread == value.thread else { continue }
      if gaps.isBehindOne(record) { return nil }
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
