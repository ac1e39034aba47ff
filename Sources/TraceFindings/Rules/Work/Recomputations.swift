public import TraceModel
import TraceReading

extension FindingKind {
  /// An operator sends the same value again and again, and everything downstream repeats its work.
  public static let recomputation = FindingKind(
    "same-value-again",
    "same value again and again",
    needsEvents: true,
    needsAll: true,
    evidence: [.next, .value],
    doubt:
      "Values are compared by their descriptions, and what differs may be described in the same words."
  )
}

/// Operators that compute the same result from changing values, and send it each time.
///
/// The fault is detected only if values are recorded.
///
/// A line is not accused if the next operator downstream drops values, because the dropped values
/// may be the unchanged ones.
enum Recomputations: FindingRule {
  static let kinds: [FindingKind] = [.recomputation]

  /// The minimum number of values of an operator.
  private static let minimumCount = 20
  /// The minimum share of unchanged values among them.
  private static let share = 0.8
  /// The minimum share of changed values among the values of the operator's input.
  private static let shareOfOthers = 0.5

  private struct ValueChanges {
    var count = 0
    var same = 0
    var others = 0
    /// The last value, as far as it was recorded.
    var last: (text: String, bytes: Int)?
    var numbers: [UInt64] = []
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.loss == nil, let histories = context.histories else { return [] }
    var changes: [TraceID: ValueChanges] = [:]
    facts.records.forEach(of: RecordKinds([.value]), in: facts.records.indices) { _, record in
      guard let (text, bytes) = record.valueText else { return }
      var counted = changes[record.entity] ?? ValueChanges()
      counted.count += 1
      if let last = counted.last {
        // Of a long value, only the beginning is recorded.
        if last != (text, bytes) {
          counted.others += 1
          // Nothing is known of a value that `Trace.redact` has withheld.
        } else if bytes > 0, bytes <= Layout.Record.valueByteCount {
          counted.same += 1
          if counted.numbers.count < 8 { counted.numbers.append(record.number) }
        }
      }
      counted.last = (text, bytes)
      changes[record.entity] = counted
    }
    guard !changes.isEmpty else { return [] }
    return histories.all.indices.compactMap { place in
      draft(place, changes, histories, context)
    }
    .worstOfEachLine
  }

  private static func draft(
    _ place: Int,
    _ changes: [TraceID: ValueChanges],
    _ histories: Histories,
    _ context: FindingContext
  ) -> FindingDraft? {
    let facts = context.facts
    let stage = histories.all[place]
    let row = facts.site(stage.site)
    guard stage.isLive, stage.creation != 0, row.traits.fate == .passes,
      row.traits.isDisjoint(with: [.root, .merging, .shares]), stage.downstream >= 0,
      facts.site(histories.all[stage.downstream].site).traits.fate != .drops,
      let counted = changes[stage.key.id], counted.count >= minimumCount,
      Double(counted.same) >= Double(counted.count) * share
    else { return nil }
    // The values of its input must have changed.
    let inputs = histories.inputs[place].compactMap { changes[histories.all[$0].key.id] }
    guard inputs.count == 1, let input = inputs.first, input.count >= counted.count,
      Double(input.same) <= Double(input.count) * (1 - shareOfOthers)
    else { return nil }
    let downstream = facts.site(histories.all[stage.downstream].site)
    let came =
      Double(input.others) >= Double(input.count) * shareOfOthers
      ? ", though what came was not" : ""
    return FindingDraft(
      kind: .recomputation,
      site: stage.site,
      subject: stage.key,
      summary: "\(counted.same) of \(counted.count) values the same as the one before",
      sentence:
        "\(counted.same) of \(counted.count) values sent here were the same as the one before\(came): \(downstream.place) was given each of "
        + "them.",
      remedy:
        "Put distinctUntilChanged behind \(row.place), so that what is below does its work only when something has changed.",
      evidence: Evidence(
        events: counted.numbers,
        counters: ["values \(counted.count)", "the same \(counted.same)"]
      ),
      members: facts.slot(stage.key.id).map { [$0] } ?? [],
      accusedStages: [AccusedRoot(stage)],
      rank: Rank(live: UInt64(counted.same)),
      restsOnRecords: true
    )
  }
}
