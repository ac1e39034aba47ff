public import TraceModel
import TraceReading

extension FindingKind {
  /// A thread that sent a value is kept busy delivering the values of other threads.
  public static let capturedThread = FindingKind(
    "thread-captured",
    "thread captured by others' values",
    needsEvents: true,
    needsAll: true,
    evidence: [.turnBegan, .depth],
    doubt: "Only the author of the code knows whether the thread has anything else to do."
  )
}

/// A thread that is kept busy in the gate of a subject, where it delivers the values of other
/// threads (`Documentation/Decisions/0015-a-sender-gives-way-in-a-crowd.md`).
///
/// A gate lets one thread deliver at a time, and that thread also delivers what others send
/// meanwhile. The captured thread wanted to send one value; but while other threads send faster
/// than their values are handled, it cannot leave the gate. The time that it spends there with the
/// values of others is called a stretch.
enum CapturedThreads: FindingRule {
  static let kinds: [FindingKind] = [.capturedThread]

  /// The minimum number of deliveries for other threads in a stretch that is reported without being
  /// suspect.
  ///
  /// A subject that limits its backlog lets another thread take over after 64 values, if others
  /// still send.
  private static let many = 128
  /// A stretch is a flood if at least this many values are delivered for other threads, and at
  /// least this many wait at the peak.
  private static let flood = 1024
  /// The minimum duration of a flood, in seconds.
  private static let short = 0.2
  /// The duration, in seconds, from which a stretch is suspect even if it is not a flood.
  private static let long = 1.0

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    // If the record of a delivery by another thread is missing, two stretches look like one.
    guard facts.loss == nil, let scan = context.deliveries else { return [] }
    var worst: [UInt32: Case] = [:]
    for (id, holds) in scan.holds.worst {
      guard let slot = facts.slot(id), slot.kind == .signal else { continue }
      // A signal that keeps values records their number in the same kind of record (`depth`), which
      // therefore does not show how many values wait.
      let site = facts.site(slot.site)
      guard site.traits.contains(.hot), !Caches.keepsValues(site) else { continue }
      for hold in [holds.most, holds.longest] {
        let one = Case(slot, hold, facts.seconds(from: hold.began, to: hold.ended))
        guard one.level == .suspect || hold.delivered >= many else { continue }
        if worst[slot.site].map({ one.isWorse(than: $0) }) ?? true { worst[slot.site] = one }
      }
    }
    return worst.keys.sorted().compactMap { site in
      worst[site].map { draft($0, facts, scan, walk) }
    }
  }

  /// A stretch in the gate of a subject, with the level of its finding.
  private struct Case {
    let subject: TraceSlot
    let hold: TurnHolds.Hold
    let seconds: Double
    let level: FindingLevel

    init(_ subject: TraceSlot, _ hold: TurnHolds.Hold, _ seconds: Double) {
      self.subject = subject
      self.hold = hold
      self.seconds = seconds
      let isFlooded = hold.peak >= flood && hold.delivered >= flood && seconds >= short
      level = isFlooded || seconds >= long ? .suspect : .info
    }

    func isWorse(than other: Case) -> Bool {
      if level != other.level { return level > other.level }
      return (hold.delivered, seconds, other.subject.serial)
        > (other.hold.delivered, other.seconds, subject.serial)
    }
  }

  private static func draft(
    _ one: Case,
    _ facts: FindingFacts,
    _ scan: DeliveryScan,
    _ walk: UpstreamWalk
  ) -> FindingDraft {
    let row = facts.site(one.subject.site)
    let hold = one.hold
    let isSuspect = one.level == .suspect
    let who = name(hold.thread, facts)
    return FindingDraft(
      kind: .capturedThread,
      level: one.level,
      site: one.subject.site,
      subject: one.subject.key,
      summary: "one thread delivered \(hold.delivered) for others, \(hold.peak) waited",
      sentence:
        "\(hold.delivered) values or more that other threads had sent were delivered here by \(who) one after "
        + "the other, for \(Duration.seconds(one.seconds).brief), before its own send returned; "
        + "\(hold.peak) or more waited.",
      remedy: isSuspect
        ? "Put deliver(on:) behind \(row.place), so that a send only hands its value over; or send less: "
          + "throttle, sample. A subject with a limited backlog lets those who send take turns."
        : "Nothing, if the thread has time; otherwise put deliver(on:) behind \(row.place).",
      evidence: Evidence(
        events: hold.numbers,
        counters: [
          "delivered for others \(hold.delivered)", "most that waited \(hold.peak)",
          "threads seen to send \(hold.senders.count)",
        ]
      ),
      members: [one.subject],
      cap: scan.isWhole(facts)
        ? nil : "what was sent before the records that are left is not counted.",
      rank: Rank(live: UInt64(hold.peak), age: one.seconds),
      upstreamChain: walk.chain(upstreamOf: one.subject.site),
      restsOnRecords: true
    )
  }

  /// The name of a thread in a sentence: `the main thread`, `thread 'worker'`, or `one thread` if
  /// its name is not known.
  private static func name(_ row: UInt32, _ facts: FindingFacts) -> String {
    guard let thread = facts.thread(row) else { return "one thread" }
    if thread.isMain { return "the main thread" }
    return thread.name.isEmpty ? "one thread" : "thread '\(thread.name)'"
  }
}
