public import TraceModel
import TraceReading

extension FindingKind {
  /// A subject has become silent without completing, and its observers accumulate.
  public static let silentSubject = FindingKind(
    "subject-never-completed",
    "subject silent, never completed",
    evidence: [.subscribed, .turnBegan],
    doubt: "Only the sender knows whether more will come.",
    settledBy: [.time]
  )
}

/// Subjects that have become silent without completing, while a growing number of observers wait.
enum SilentSubjects: FindingRule {
  static let kinds: [FindingKind] = [.silentSubject]

  /// The minimum number of values that the subject must have sent.
  private static let minimumValues: UInt64 = 3
  /// The minimum number of observers that must have subscribed since the last value.
  private static let minimumObservers = 4
  /// The minimum number of seconds of silence.
  private static let minimumSilence = 1.0
  /// The minimum ratio of the silence to the usual gap between values.
  private static let gapFactor = 20.0

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    var observers: [UInt32: [TraceSlot]] = [:]
    let subjects = facts.slots.filter { slot in
      slot.kind == .signal && slot.depth >= minimumObservers
        && facts.site(slot.site).traits.intersection([.subject, .replays]) == .subject
    }
    guard !subjects.isEmpty else { return [] }
    let wanted = Dictionary(subjects.map { ($0.id.rawValue, $0.site) }, uniquingKeysWith: max)
    for slot in facts.slots where slot.isLiveSubscription && wanted[slot.signal] == slot.site {
      observers[slot.signal, default: []].append(slot)
    }
    // The entries for live subscriptions exclude most subjects, so that no records are read for
    // these.
    let silent = subjects.filter { subject in
      let all = observers[subject.id.rawValue] ?? []
      let last = all.filter { $0.eventCount > 0 }.map(\.lastEventAt).max() ?? 0
      return facts.seconds(from: last, to: facts.last) >= minimumSilence
        && all.count { $0.createdAt > last && $0.eventCount == 0 } >= minimumObservers
    }
    guard !silent.isEmpty else { return [] }
    let turns = facts.records(about: silent) { $0 == .turnBegan }
    var found: [FindingDraft] = []
    var sites: Set<UInt32> = []
    for subject in silent.sorted(by: { $0.serial < $1.serial }) {
      let all = observers[subject.id.rawValue] ?? []
      guard !sites.contains(subject.site),
        let one = look(at: subject, all, turns[subject.id] ?? [], walk, facts)
      else { continue }
      sites.insert(subject.site)
      found.append(one)
    }
    return found
  }

  private static func look(
    at subject: TraceSlot,
    _ observers: [TraceSlot],
    _ turns: [TraceRecord],
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    let heard = observers.filter { $0.eventCount > 0 }
    let values = max(heard.map(\.eventCount).max() ?? 0, UInt64(turns.count))
    guard values >= minimumValues else { return nil }
    let last = max(heard.map(\.lastEventAt).max() ?? 0, turns.last?.ticks ?? 0)
    let gap: Double
    if turns.count >= 3 {
      gap = Trend.median(
        zip(turns, turns.dropFirst()).map { facts.seconds(from: $0.ticks, to: $1.ticks) }
      )
    } else if let oldest = heard.map(\.createdAt).min() {
      gap = facts.seconds(from: oldest, to: last) / Double(values)
    } else {
      return nil
    }
    let silence = facts.seconds(from: last, to: facts.last)
    guard silence >= max(minimumSilence, gapFactor * gap) else { return nil }
    let waiting = observers.filter { $0.createdAt > last && $0.eventCount == 0 }
    guard Survivors(waiting, since: last, facts).rise(atLeast: minimumObservers) else { return nil }
    let row = facts.site(subject.site)
    let roots = walk.roots(downstreamOf: waiting)
    let places = Set(roots.map { facts.site($0).place }).sorted()
    return FindingDraft(
      kind: .silentSubject,
      site: subject.site,
      subject: subject.key,
      summary: "silent for \(Duration.seconds(silence).brief), \(waiting.count) observers since",
      sentence:
        "Nothing has been sent here for \(Duration.seconds(silence).brief), which is "
        + "\(Int(min(silence / max(gap, 1e-6), 1e6))) times as long as usual, and it has not been "
        + "completed: "
        + "\(waiting.count) of \(observers.count) observers came since and still wait"
        + (places.isEmpty ? "." : ", from \(places.prefix(3).joined(separator: ", "))."),
      remedy:
        "Complete \(row.place) when nothing will be sent any more, or release it, which ends its "
        + "subscriptions; end those that need no more with take(until:).",
      evidence: Evidence(
        events: (facts.creations(of: waiting) + turns.suffix(3).map(\.number)).sorted(),
        counters: [
          "observers \(observers.count)", "observers since the last value \(waiting.count)",
          "values at least \(values)",
        ]
      ),
      members: [subject] + observers,
      accused: waiting,
      affected: waiting.map(\.key),
      cap: facts.isExact(since: subject.createdAt)
        ? nil
        : "SUSPECT at most: how often it sent before the records that are left is an estimate.",
      rank: Rank(growth: Double(waiting.count), live: UInt64(observers.count), age: silence),
      restsOnRecords: true,
      explains: roots.union([subject.site]),
      claims: [subject.id]
    )
  }
}
