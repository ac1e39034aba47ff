import TraceModel
import TraceReading

/// Operators such as `zip` that pair values of one source from two paths, and have been out of step
/// since one path sent a value that the other did not: since then, each pair consists of values of
/// different times.
///
/// A path that is ahead from the beginning, because the other has `skip(1)`, is intended; and a
/// path that is ahead by a growing number of values is a backlog.
enum PairsOutOfStep {
  /// The minimum number of pairs in step, before the operator got out of step.
  private static let minimumPairsInStep = 3
  /// The minimum number of pairs out of step since then.
  private static let minimumPairsOutOfStep = 3

  /// An operator, and the progress of its inputs.
  private struct Pairing {
    let stage: Int
    let inputs: [Int]
    let source: TraceID
    var arrived: [UInt64] = [0, 0]
    var inStep = 0
    /// The number of values by which one input is ahead, the number of pairs out of step, and the
    /// record and the time of the first of these pairs.
    var ahead: UInt64 = 0
    var since = 0
    var number: UInt64 = 0
    var ticks: UInt64 = 0
    /// Whether the lead has changed since then.
    var varies = false

    mutating func pair(_ record: TraceRecord) {
      let pairs = UInt64(inStep + since + 1)
      let ahead = max(arrived[0], arrived[1]) - min(pairs, max(arrived[0], arrived[1]))
      if ahead == 0 {
        varies = varies || since > 0
        inStep += 1
      } else {
        varies = varies || since > 0 && ahead != self.ahead
        if since == 0 { (self.ahead, number, ticks) = (ahead, record.number, record.ticks) }
        since += 1
      }
    }

    /// Whether all pairs were in step at first and none was later, and the next pair will not be in
    /// step either.
    var isOutOfStep: Bool {
      !varies && inStep >= minimumPairsInStep && since >= minimumPairsOutOfStep
        && max(arrived[0], arrived[1]) - min(arrived[0], arrived[1]) == ahead
    }
  }

  static func found(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.hasEvents,
      facts.sites.contains(where: { $0.traits.fate == .pairs && $0.subscribed > 0 }),
      let histories = context.histories
    else { return [] }
    var pairings = histories.all.indices.compactMap { pairing(at: $0, histories, facts) }
    guard !pairings.isEmpty else { return [] }
    follow(&pairings, histories, facts)
    return pairings.filter(\.isOutOfStep).map { draft($0, histories, facts) }.worstOfEachLine
  }

  private static func pairing(
    at place: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Pairing? {
    let (one, inputs) = (histories.all[place], histories.inputs[place])
    guard one.creation != 0, one.isLive, facts.site(one.site).traits.fate == .pairs,
      inputs.count == 2, inputs.allSatisfy({ histories.all[$0].isLive })
    else { return nil }
    let sources = inputs.map { input in
      Set(
        histories.tree(upstreamOf: input, limit: 256).lazy.map { histories.all[$0] }
          .filter { !facts.site($0.site).traits.isDisjoint(with: [.hot, .shares]) }.map(\.signal)
      )
    }
    let shared = sources[0].intersection(sources[1]).min { $0.rawValue < $1.rawValue }
    return shared.map { Pairing(stage: place, inputs: inputs, source: $0) }
  }

  private static func follow(
    _ pairings: inout [Pairing],
    _ histories: Histories,
    _ facts: FindingFacts
  ) {
    /// The meaning of each identifier in a pairing: the index of an input, or nil for the operator
    /// itself.
    var parts: [TraceID: [(pairing: Int, history: Int, input: Int?)]] = [:]
    for (place, one) in pairings.enumerated() {
      for (input, history) in one.inputs.enumerated() {
        parts[histories.all[history].key.id, default: []].append((place, history, input))
      }
      parts[histories.all[one.stage].key.id, default: []].append((place, one.stage, nil))
    }
    let rows = facts.records.suffix(DeliveryScan.limit(facts)).indices
    facts.records.forEach(of: RecordKinds([.next]), in: rows) { _, record in
      for part in parts[record.entity] ?? []
      where histories.all[part.history].existed(at: record) {
        if let input = part.input {
          pairings[part.pairing].arrived[input] += 1
        } else {
          pairings[part.pairing].pair(record)
        }
      }
    }
  }

  private static func draft(
    _ one: Pairing,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let stage = histories.all[one.stage]
    let first = one.arrived[0] > one.arrived[1] ? 0 : 1
    func place(_ input: Int) -> String { facts.site(histories.all[one.inputs[input]].site).place }
    let source = facts.slot(one.source).map { facts.site($0.site).place } ?? "one source"
    let values = Words.count(one.ahead, "value")
    return FindingDraft(
      kind: .glitch,
      site: stage.site,
      subject: stage.key,
      summary: "\(one.since) pairs out of step",
      sentence:
        "What comes from \(source) is paired here over two paths, and the first \(Words.count(UInt64(one.inStep), "pair")) were of values that belong together. "
        + "Then \(place(first)) sent \(values) more than \(place(1 - first)), and all \(one.since) pairs in the \(Duration.seconds(facts.age(one.ticks)).brief) since were of a value and an earlier one.",
      remedy:
        "Pair the two for each value of \(source), inside of one flatMapLatest, so that both are "
        + "always cancelled together.",
      evidence: Evidence(
        events: [one.number],
        counters: ["pairs in step \(one.inStep)", "out of step \(one.since)"]
      ),
      accusedStages: [AccusedRoot(stage)],
      affected: [stage.key],
      rank: Rank(live: UInt64(one.since)),
      restsOnRecords: true,
      ruledOut: [
        "a path that is meant to be ahead: it was not for \(one.inStep) pairs",
        "a path that is faster: it has been ahead by \(values) ever since, no more and no less",
      ]
    )
  }
}
