public import TraceModel
import TraceReading

extension FindingKind {
  /// A signal with several senders was ended by the first of them that ended.
  public static let endedSubject = FindingKind(
    "subject-ended",
    "subject ended by one of its senders",
    needsEvents: true,
    needsAll: true,
    evidence: [.turnBegan, .next, .ended],
    doubt: "Only the author of the code knows whether the first that ends is to end it for all."
  )
}

/// Subjects to which the handlers of several subscriptions send, and which ended together with one
/// of these subscriptions: the values that the others send after that are lost.
enum EndedSubjects: FindingRule {
  static let kinds: [FindingKind] = [.endedSubject]

  /// The minimum number of lost values.
  private static let minimumCount = 3
  /// The minimum number of seconds over which the lost values came.
  private static let minimumSeconds = 0.3
  /// The maximum number of seconds between the ends of the subject and of the subscription.
  private static let atOnce = 0.01

  /// The lost values of the other senders.
  private struct LostSends {
    var senders = 0
    var values: [Histories.Turn] = []
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let mayEnd = facts.sites.contains {
      $0.traits.contains(.hot) && $0.ended.prefix(2).contains { $0 > 0 }
    }
    guard mayEnd, let histories = context.histories, let causes = context.causes else { return [] }
    guard !causes.endings.isEmpty else { return [] }
    var senders: [UInt64: [CausalScan.Handled]] = [:]
    for one in causes.handled.values {
      for signal in one.sent where causes.endings[signal] != nil {
        senders[signal, default: []].append(one)
      }
    }
    return causes.endings.values.sorted { $0.signal < $1.signal }
      .compactMap { draft($0, senders[$0.signal.serial] ?? [], histories, facts) }
      .worstOfEachLine
  }

  private static func draft(
    _ ending: CausalScan.Ending,
    _ senders: [CausalScan.Handled],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    guard senders.count > 1,
      let place = histories.place(of: EntityKey(id: .none, serial: ending.root))
    else { return nil }
    let root = histories.all[place]
    guard let end = root.endedAt, facts.seconds(from: end, to: ending.ticks) <= atOnce,
      senders.contains(where: { $0.key == root.key || $0.site == root.site })
    else { return nil }
    var lost = LostSends()
    for sender in senders where sender.key != root.key {
      let values = lostValues(sender, ending, histories, facts)
      if values.isEmpty { continue }
      lost.senders += 1
      lost.values += values
    }
    lost.values.sort { $0.number < $1.number }
    guard lost.values.count >= minimumCount, let last = lost.values.map(\.ticks).max(),
      facts.seconds(from: ending.ticks, to: last) >= minimumSeconds
    else { return nil }
    let row = facts.site(root.site)
    let name = facts.site(ending.site).place
    let how = root.reason == .failed ? "failed" : "completed"
    let time = Duration.seconds(facts.seconds(from: facts.start, to: ending.ticks)).brief
    let count = lost.values.count
    return FindingDraft(
      kind: .endedSubject,
      site: root.site,
      summary: "\(count) values of \(Words.count(lost.senders, "other sender")) lost",
      sentence:
        "What is sent on here \(how) at \(time), and \(name) with it, to which "
        + "\(Words.count(lost.senders, "other")) also sent: \(Words.count(count, "value")) sent "
        + "since came to nothing.",
      remedy:
        "Send on the values but not the end (subscribe { subject.send($0) } in place of "
        + "subscribe(subject)), or merge all signals that are to feed \(name): what merge makes "
        + "ends when all of them have ended.",
      evidence: Evidence(
        events: ([root.end, ending.number] + lost.values.prefix(8).map(\.number)).filter { $0 != 0 }
          .sorted(),
        counters: ["others \(lost.senders)", "values in vain \(count)"]
      ),
      accusedRoots: [AccusedRoot(key: root.key, site: row.index, chain: root.chain)],
      affected: histories.all.filter {
        $0.signal == ending.signal.id && ($0.endedAt ?? 0) >= ending.ticks
      }.map(\.key),
      rank: Rank(live: UInt64(count)),
      restsOnRecords: true
    )
  }

  /// The values that reached a sender, or its source, after the end of the subject.
  private static func lostValues(
    _ sender: CausalScan.Handled,
    _ ending: CausalScan.Ending,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [Histories.Turn] {
    let own = sender.values.filter { $0.ticks > ending.ticks }
    if !own.isEmpty { return own }
    // The sender ended along with the subject, so the values that it would have received are
    // counted.
    guard let place = histories.place(of: sender.key), let end = histories.all[place].endedAt,
      histories.all[place].reason == .cancelled, end >= ending.ticks,
      facts.seconds(from: ending.ticks, to: end) <= atOnce
    else { return [] }
    let sources = histories.tree(upstreamOf: place, limit: 64).filter {
      histories.inputs[$0].isEmpty && facts.site(histories.all[$0].site).traits.contains(.hot)
    }
    return Set(sources.map { histories.all[$0].signal }).sorted { $0.rawValue < $1.rawValue }
      .flatMap { (histories.turns[$0] ?? []).filter { $0.ticks > ending.ticks } }
  }
}
