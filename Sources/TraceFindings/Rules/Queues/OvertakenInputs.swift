public import TraceModel
import TraceReading

extension FindingKind {
  /// A value of one input waits on a queue, so that it arrives after a value that another input
  /// sent later.
  public static let overtakenInputs = FindingKind(
    "inputs-overtake",
    "sent first, arrives last",
    needsEvents: true,
    needsAll: true,
    evidence: [.next],
    doubt: "Only the author of the code knows whether the order of the two makes a difference."
  )
}

/// Operators with one input whose values pass through a queue, and another input whose values do
/// not, and therefore overtake them.
///
/// An occasional overtaken value is chance. The rule therefore requires that nearly all values of
/// the first input are overtaken by a later value of the other input, that nearly all values of the
/// other input overtake one, and that both arrive on the main queue.
enum OvertakenInputs: FindingRule {
  static let kinds: [FindingKind] = [.overtakenInputs]

  /// The minimum number of overtaken values.
  private static let minimumCount = 5
  /// For each of the two inputs, the minimum share of its values that overtake or are overtaken.
  private static let share = 0.8
  /// The maximum number of inputs of one operator that are compared.
  private static let inputLimit = 16

  /// Two inputs of one operator.
  private struct Pair {
    var stage: Int
    /// The stage that sends the values of the first input to the queue, and the stage that forwards
    /// them from there.
    var entry: Int
    var queue: Int
    var other: Int
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.sites.contains(where: { $0.traits.contains(.switchesQueue) && $0.subscribed > 0 }),
      let histories = context.histories
    else { return [] }
    let pairs = histories.all.indices.flatMap { queuedPairs(into: $0, histories, facts) }
      // If both inputs come from one source, an earlier rule has already accused the operator.
      .filter { !context.isAccused(histories.all[$0.stage].site) }
    // The values on the main queue are handled one after the other. On other queues it is unknown
    // which thread handled them.
    guard !pairs.isEmpty, let causes = context.causes else { return [] }
    let mainPairs = pairs.filter { pair in
      (causes.targets[histories.all[pair.queue].key.serial] ?? []).contains {
        facts.scheduler($0)?.kind == .main
      }
    }
    guard !mainPairs.isEmpty else { return [] }
    let moments = EventMoments(
      of: Set(mainPairs.flatMap { [$0.entry, $0.queue, $0.other] }),
      histories,
      facts
    )
    return mainPairs.compactMap { draft($0, moments, histories, facts) }.worstOfEachLine
  }

  private static func queuedPairs(
    into stage: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [Pair] {
    let traits = facts.site(histories.all[stage].site).traits
    guard traits.contains(.merging), traits.inputs == .partners, traits.fate == .passes,
      !traits.contains(.queuesInner), histories.all[stage].creation != 0
    else { return [] }
    let inputs = histories.inputs[stage].prefix(inputLimit)
    let queues = inputs.map { queue(upstreamOf: $0, histories, facts) }
    return zip(inputs, queues).flatMap { _, queue -> [Pair] in
      guard let queue, let entry = histories.inputs[queue].first else { return [] }
      return zip(inputs, queues).compactMap { other, otherQueue in
        otherQueue == nil ? Pair(stage: stage, entry: entry, queue: queue, other: other) : nil
      }
    }
  }

  /// The nearest stage upstream of an input that moves values to another queue; nil if the path
  /// ends or branches before such a stage.
  private static func queue(
    upstreamOf input: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Int? {
    var here = input
    for _ in 0..<64 {
      if facts.site(histories.all[here].site).traits.contains(.switchesQueue) { return here }
      guard histories.inputs[here].count == 1 else { return nil }
      here = histories.inputs[here][0]
    }
    return nil
  }

  private static func draft(
    _ pair: Pair,
    _ moments: EventMoments,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    let (entries, exits) = (moments[pair.entry], moments[pair.queue])
    let others = moments[pair.other]
    guard entries.count >= minimumCount, others.count >= minimumCount else { return nil }
    var (overtaken, overtaking) = (0, 0)
    var numbers: [UInt64] = []
    var next = 0
    // Values leave the queue in the order in which they entered it.
    for (entry, exit) in zip(entries, exits) {
      while next < others.count, others[next].ticks < entry.ticks { next += 1 }
      var between = 0
      while next < others.count, others[next].ticks < exit.ticks {
        // Values that are handled on different threads have no order among them.
        if others[next].thread == exit.thread {
          if between == 0 { numbers += [entry.number, others[next].number, exit.number] }
          between += 1
        }
        next += 1
      }
      if between > 0 { overtaken += 1 }
      overtaking += between
    }
    guard overtaken >= minimumCount, Double(overtaken) >= Double(entries.count) * share,
      Double(overtaking) >= Double(others.count) * share
    else { return nil }
    let stage = histories.all[pair.stage]
    let row = facts.site(stage.site)
    let queue = facts.site(histories.all[pair.queue].site).place
    let other = facts.site(histories.all[pair.other].site).place
    return FindingDraft(
      kind: .overtakenInputs,
      site: stage.site,
      subject: stage.key,
      summary: "\(overtaken) of \(entries.count) overtaken on the way over a queue",
      sentence:
        "\(overtaken) of \(Words.count(entries.count, "value")) that went to \(row.place) by way of \(queue) came later than what \(other) sent after them: what "
        + "was sent first arrives last.",
      remedy:
        "Put one deliver(on:) behind \(row.place) instead of the one in front of it, so that all "
        + "values go over one queue in their order.",
      evidence: Evidence(
        events: numbers.sorted(),
        counters: ["overtaken \(overtaken)", "values over the queue \(entries.count)"]
      ),
      accusedStages: [AccusedRoot(stage)],
      rank: Rank(live: UInt64(overtaken)),
      restsOnRecords: true
    )
  }
}
