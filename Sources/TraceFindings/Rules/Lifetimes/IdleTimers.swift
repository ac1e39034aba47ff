public import TraceModel
import TraceReading

extension FindingKind {
  /// A timer continues although nothing can receive its events.
  public static let idleTimer = FindingKind(
    "timer-without-subscriber",
    "timer with no live subscriber",
    needsEvents: true,
    evidence: [.timerFired, .turnBegan, .ended, .subscriptionReleased],
    doubt: "What a timer does without sending an event, such as writing a file, is not recorded.",
    settledBy: [.time]
  )
}

/// Repeating timers of one line that continue although they have no effect.
///
/// A timer of an operator has to end with its subscription: if it does not, a rule of the event
/// contract is broken. A timer that the program armed itself belongs to no subscription, so only
/// many consecutive fires without an event can show that it has no effect.
struct IdleTimers: FindingRule {
  static let kinds: [FindingKind] = [.idleTimer]

  let site: UInt32
  let level: FindingLevel
  let cap: String?
  private let timers: [TraceSlot]
  private let isOfUserCode: Bool
  /// Whether the signal to which the timers send is known to have no subscriber.
  private let isDeserted: Bool
  private let row: TraceSite
  private let events: [UInt64]
  /// The number of seconds since the oldest of the timers was armed.
  private let age: Double

  /// A timer is examined after at least this many consecutive fires without an effect.
  private static let minimumFiresToExamine = 10
  /// A timer that has never had an effect is reported after at least this many such fires.
  private static let minimumFiresToReport = 50
  /// The minimum number of seconds that these fires have to span.
  private static let idleTime = 1.0
  /// The number of seconds after the end of its subscription within which a timer may still fire.
  private static let grace = 0.1

  // MARK: Search

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    var owned: [UInt32: [TraceSlot]] = [:]
    var own: [UInt32: [TraceSlot]] = [:]
    for slot in facts.slots where slot.kind == .timer && slot.state == .active && slot.signal > 0 {
      if slot.link == .none {
        if isIdle(slot), isOfUserCode(facts.site(slot.site)) {
          own[slot.site, default: []].append(slot)
        }
      } else if isOrphan(slot, facts) {
        owned[slot.site, default: []].append(slot)
      }
    }
    let ownIdle = own.compactMap { site, timers in idle(site, timers, facts) }
    return (orphans(owned, facts) + ownIdle).map(\.draft)
  }

  private static func isOfUserCode(_ site: TraceSite) -> Bool {
    // The recorded trait of the operator decides, because a timer of an operator may also lack a
    // subscription, if the table of live entities had no room for the subscription.
    site.traits.contains(.ofProgram)
  }

  private static func isIdle(_ slot: TraceSlot) -> Bool {
    slot.depth >= minimumFiresToExamine && Double(slot.depth) * slot.period >= idleTime
  }

  private static func isOrphan(_ slot: TraceSlot, _ facts: FindingFacts) -> Bool {
    guard let subscription = facts.slot(slot.link) else { return true }
    return subscription.kind != .subscription || subscription.state == .ended
  }

  /// The finding about timers of one line that the program armed itself; nil if the timers have had
  /// an effect, or it is too early to judge them.
  ///
  /// That a timer has no effect does not prove a fault: a poll may find nothing for hours. A timer
  /// is suspect only if the records of its fires show that it sends to a signal without a
  /// subscriber, or if timers accumulate at its line; otherwise the finding has level INFO.
  private static func idle(
    _ site: UInt32,
    _ timers: [TraceSlot],
    _ facts: FindingFacts
  ) -> IdleTimers? {
    let row = facts.site(site)
    let targets = TimerTargets(timers, facts)
    let unobserved = timers.filter { targets.targetWithoutSubscribers(of: $0) != nil }
    if !unobserved.isEmpty {
      let turns = unobserved.compactMap { targets.targetWithoutSubscribers(of: $0)?.number }
      // A single timer may be a clock that is observed only now and then. At least two timers whose
      // signals have lost their subscribers are a leak.
      let lost = unobserved.count { hadListeners($0) || targets.hadSubscribers($0) }
      return IdleTimers(
        site,
        lost >= 2 ? .leak : .suspect,
        unobserved,
        isOfUserCode: true,
        isDeserted: true,
        events: (Fires(of: unobserved, facts).numbers + turns).sorted(),
        facts
      )
    }
    let long = timers.filter { $0.depth >= minimumFiresToReport && !hadListeners($0) }
    guard !long.isEmpty else { return nil }
    return IdleTimers(
      site,
      keepAccumulating(long, row, facts) ? .suspect : .info,
      long,
      isOfUserCode: true,
      events: Fires(of: long, facts).numbers,
      facts
    )
  }

  private static func hadListeners(_ timer: TraceSlot) -> Bool {
    timer.eventCount > UInt64(timer.depth)
  }

  /// Whether a growing number of timers is armed at one line, none of which ends or has an effect.
  private static func keepAccumulating(
    _ timers: [TraceSlot],
    _ row: TraceSite,
    _ facts: FindingFacts
  ) -> Bool {
    row.timersEnded == 0 && Survivors(timers, facts).rise(atLeast: 3)
  }

  private static func orphans(
    _ timers: [UInt32: [TraceSlot]],
    _ facts: FindingFacts
  ) -> [IdleTimers] {
    guard !timers.isEmpty else { return [] }
    return timers.compactMap { site, timers in
      let proof = OrphanProof(timers, facts, grace: grace)
      if !proof.proven.isEmpty {
        return IdleTimers(
          site,
          .violation,
          proof.proven,
          isOfUserCode: false,
          events: proof.numbers,
          facts
        )
      }
      let idle = timers.filter { $0.depth >= 2 }
      // If slots are lost, the subscription may be among them.
      guard !idle.isEmpty, !facts.lacksSlots else { return nil }
      return IdleTimers(
        site,
        .suspect,
        idle,
        isOfUserCode: false,
        events: [],
        facts,
        cap: "SUSPECT at most: the record of the end of its subscription is not in this trace."
      )
    }
  }

  private init(
    _ site: UInt32,
    _ level: FindingLevel,
    _ timers: [TraceSlot],
    isOfUserCode: Bool,
    isDeserted: Bool = false,
    events: [UInt64],
    _ facts: FindingFacts,
    cap: String? = nil
  ) {
    self.site = site
    self.level = level
    self.timers = timers.sorted { $0.serial < $1.serial }
    self.isOfUserCode = isOfUserCode
    self.isDeserted = isDeserted
    self.events = events
    self.cap = cap
    row = facts.site(site)
    age = timers.map { facts.age($0.createdAt) }.max() ?? 0
  }

  private var draft: FindingDraft {
    FindingDraft(
      kind: .idleTimer,
      level: level,
      site: site,
      subject: subject,
      summary: summary,
      sentence: sentence,
      remedy: remedy,
      evidence: evidence,
      members: timers,
      cap: cap,
      rank: rank
    )
  }

  // MARK: Texts

  var subject: EntityKey? { timers.count == 1 ? timers.first?.key : nil }

  private var idleFires: UInt64 { timers.reduce(0) { $0 + UInt64($1.depth) } }
  private var wakeups: Double { timers.reduce(0) { $0 + 1 / max($1.period, 1e-6) } }
  private var cost: String { "\(Words.number(wakeups)) wakeups/s" }
  private var since: String {
    "\(timers.count == 1 ? "armed" : "the oldest armed") \(Duration.seconds(age).brief) ago"
  }

  var summary: String {
    "\(Words.count(timers.count, "timer")), \(Words.count(idleFires, "fire")) in vain, \(cost)"
  }

  var sentence: String {
    let who = "\(Words.count(timers.count, "timer")) armed here"
    let fire = timers.count == 1 ? "goes" : "go"
    guard isOfUserCode else {
      return "\(who) \(fire) on firing after \(timers.count == 1 ? "its" : "their") subscription "
        + "has ended: \(cost), \(since)."
    }
    let one = timers.count == 1
    let why: String
    if isDeserted {
      let hadListeners = timers.contains(where: Self.hadListeners)
      why =
        "\(one ? "sends" : "send") to where nobody is subscribed\(hadListeners ? " any more" : "")"
    } else {
      why = "\(one ? "has" : "have") never led to an event"
    }
    return
      "\(who) \(fire) on and \(why): \(Words.count(idleFires, "fire")) in a row led to no event, "
      + "\(cost), \(since)."
  }

  var remedy: String {
    guard isOfUserCode else {
      return
        "The scheduler of \(row.place) does not cancel work when its disposable is disposed of: "
        + "correct the scheduler, or end the timer in the teardown of its subscription."
    }
    if level == .info {
      return
        "Nothing, if the timer does something else; otherwise dispose of what \(row.place) "
        + "returned."
    }
    return
      "Keep the disposable returned by \(row.place) and dispose of it when the last listener of "
      + "what it sends leaves, or use Signal.interval, whose timer ends with its subscription."
  }

  var evidence: Evidence {
    Evidence(
      events: events,
      counters: [
        "idle timers \(timers.count)", "timers live \(row.timersLive)",
        "timers armed \(row.timersArmed)", "timers ended \(row.timersEnded)",
        "fires since the last useful one \(Words.list(timers.map(\.depth)))",
      ]
    )
  }

  var rank: Rank { Rank(live: UInt64(timers.count), rate: wakeups, age: age) }
}

extension TraceSlot {
  /// The number of seconds between two fires of a timer, in whose entry `signal` is the period.
  var period: Double { Double(signal) / 1e6 }
}

/// The records of the latest consecutive fires of the given timers that had no effect.
private struct Fires {
  private(set) var numbers: [UInt64] = []

  init(of timers: [TraceSlot], _ facts: FindingFacts) {
    var left: [TraceID: UInt32] = [:]
    for timer in timers { left[timer.id] = timer.depth }
    var wanted = timers.reduce(0) { $0 + UInt64($1.depth) }
    for record in facts.records.reversed() {
      guard wanted > 0 else { break }
      guard record.kind == .timerFired, let fires = left[record.entity], fires > 0 else { continue }
      left[record.entity] = fires - 1
      wanted -= 1
      numbers.append(record.number)
    }
    numbers.reverse()
  }
}

/// The timers that, according to records, have fired after the end of their subscription.
private struct OrphanProof {
  private(set) var proven: [TraceSlot] = []
  /// The end of each subscription and the fires after it.
  private(set) var numbers: [UInt64] = []

  init(_ timers: [TraceSlot], _ facts: FindingFacts, grace: Double) {
    var byTimer: [TraceID: TraceSlot] = [:]
    var bySubscription: [TraceID: [TraceSlot]] = [:]
    for timer in timers {
      byTimer[timer.id] = timer
      bySubscription[timer.link, default: []].append(timer)
    }
    // The records of the end and of the release of subscriptions; a release proves by itself that
    // the subscription had ended.
    var ends: [TraceID: [TraceRecord]] = [:]
    var fires: [TraceID: [TraceRecord]] = [:]
    for record in facts.records {
      switch record.kind {
      case .ended, .subscriptionReleased:
        guard let timers = bySubscription[record.entity],
          timers.contains(where: { $0.createdAt <= record.ticks })
        else { continue }
        ends[record.entity, default: []].append(record)
      case .timerFired:
        guard let timer = byTimer[record.entity], let end = ends[timer.link]?.first,
          facts.seconds(from: end.ticks, to: record.ticks) > grace
        else { continue }
        fires[record.entity, default: []].append(record)
      default: break
      }
    }
    for timer in timers {
      guard let all = ends[timer.link], let end = all.first else { continue }
      let late = fires[timer.id] ?? []
      // Fires are not recorded at level `graph`, but the timer's own entry in the table of live
      // entities contains the time of the latest fire.
      guard !late.isEmpty || facts.seconds(from: end.ticks, to: timer.lastEventAt) > grace
      else { continue }
      proven.append(timer)
      numbers += all.map(\.number)
      numbers += late.map(\.number)
    }
    numbers = Set(numbers).sorted()
  }
}
