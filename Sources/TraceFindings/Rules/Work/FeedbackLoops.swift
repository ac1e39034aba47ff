public import TraceModel
import TraceReading

extension FindingKind {
  /// Values circulate between signals without a cause from outside.
  public static let feedbackLoop = FindingKind(
    "feedback-loop",
    "values that go round for ever",
    needsEvents: true,
    needsAll: true,
    evidence: [.turnBegan],
    doubt: "Only the author of the code knows whether it is to go round for ever, as a clock does.",
    settledBy: [.time]
  )
}

/// Signals that set each other: the handler of each sends to the next, always a little later, and
/// this never stops.
///
/// A circulation that is started again from outside each time, by a timer for example, is not a
/// loop. Nor is a circulation that waits for work in between, as a poll waits for its answer,
/// unless it passes through so many signals that nobody would write a poll that way.
///
/// If a signal of the circulation does not keep a value, the circulation must contain an operator
/// that waits for a pause between values, because two signals that call each other after a while
/// may be a clock.
///
/// A handler that sends back to the signal that it follows is reported if more and more values go
/// round at the same time (`FeedbackLoops+Echoes.swift`).
enum FeedbackLoops: FindingRule {
  static let kinds: [FindingKind] = [.feedbackLoop]

  /// The minimum number of rounds.
  private static let minimumCount = 10
  /// The maximum number of signals in a loop.
  private static let longest = 16
  /// The minimum number of signals in a loop that may wait for work in between.
  private static let many = 3
  /// The maximum silence after the last round, in multiples of the usual time between two rounds.
  static let gapFactor = 5.0
  /// A silence of this many seconds is accepted as well, up to this share of the time that the loop
  /// ran: the rounds may be so short that ending the program takes longer than several of them.
  private static let pause = (seconds: 0.01, share: 0.05)

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let mayWait = facts.sites.contains {
      ([.keepsLatest, .queues].contains($0.traits.fate) || $0.traits.contains(.timer))
        && $0.subscribed > 0
    }
    let hotCount = facts.sites.count { $0.traits.contains(.hot) && $0.subscribed > 0 }
    guard mayWait, hotCount > 0, let causes = context.causes, let histories = context.histories
    else { return [] }
    let circulations = hotCount > 1 ? circulations(causes, facts) : [:]
    let found = circulations.merging(echoes(causes, histories, facts)) { loop, _ in loop }
    return found.keys.sorted().compactMap { found[$0] }
  }

  /// The findings about values that go round through several signals, by the lines of the handlers.
  private static func circulations(
    _ causes: CausalScan,
    _ facts: FindingFacts
  ) -> [UInt32: FindingDraft] {
    // For each turn, which is the delivery of one value sent to a signal: how often the value has
    // returned to the signal, and the turn of the previous round.
    var rounds = [Int](repeating: 0, count: causes.turns.count)
    var before = [Int](repeating: -1, count: causes.turns.count)
    var longestBySignal: [UInt64: Int] = [:]
    for place in causes.turns.indices {
      guard let last = lastRound(of: place, causes, facts) else { continue }
      before[place] = last
      rounds[place] = rounds[last] + 1
      let signal = causes.turns[place].signal.serial
      if longestBySignal[signal].map({ rounds[$0] <= rounds[place] }) ?? true {
        longestBySignal[signal] = place
      }
    }
    var found: [UInt32: FindingDraft] = [:]
    var known: Set<UInt64> = []
    for signal in longestBySignal.keys.sorted() where !known.contains(signal) {
      guard let place = longestBySignal[signal], rounds[place] >= minimumCount else { continue }
      let steps = steps(of: place, downTo: before[place], causes)
      known.formUnion(steps.map { causes.turns[$0].signal.serial })
      guard isGoingOn(place, before, rounds, causes, facts),
        let draft = draft(place, rounds[place], steps, before, causes, facts)
      else { continue }
      found[draft.site] = found[draft.site] ?? draft
    }
    return found
  }

  /// The earlier turn of the same signal that caused a turn through other signals; nil if there is
  /// none, or if the two are not part of a loop.
  private static func lastRound(
    of place: Int,
    _ causes: CausalScan,
    _ facts: FindingFacts
  ) -> Int? {
    let signal = causes.turns[place].signal.serial
    var here = place
    var (hasWaited, hasPaused, hasWorked, areKept, isOneKept) = (false, false, false, true, false)
    var signals: Set<UInt64> = []
    for _ in 0..<longest {
      let turn = causes.turns[here]
      guard turn.root != 0, turn.cause >= 0 else { return nil }
      signals.insert(turn.signal.serial)
      let traits = facts.site(turn.site).traits
      if traits.contains(.subject), !traits.contains(.replays) {
        areKept = false
      } else {
        isOneKept = true
      }
      if turn.stage != 0 {
        let fate = facts.site(turn.stage).traits.fate
        hasWaited = true
        if fate == .keepsLatest { hasPaused = true }
        if fate != .keepsLatest, fate != .queues { hasWorked = true }
      }
      here = turn.cause
      if causes.turns[here].signal.serial == signal {
        let isLoop =
          hasWorked
          ? signals.count >= many && isOneKept : signals.count > 1 && (areKept || hasPaused)
        return isLoop && hasWaited ? here : nil
      }
    }
    return nil
  }

  /// The turns of the last round, in reverse order.
  private static func steps(of place: Int, downTo end: Int, _ causes: CausalScan) -> [Int] {
    var steps: [Int] = []
    var here = place
    while here > end, here >= 0, steps.count < longest {
      steps.append(here)
      here = causes.turns[here].cause
    }
    return steps
  }

  /// Whether the loop ran up to the end of the records, or until the subscriptions through which it
  /// passes had ended.
  private static func isGoingOn(
    _ place: Int,
    _ before: [Int],
    _ rounds: [Int],
    _ causes: CausalScan,
    _ facts: FindingFacts
  ) -> Bool {
    let steps = steps(of: place, downTo: before[place], causes)
    let areLive = steps.allSatisfy { step in
      causes.handled[causes.turns[step].root].map { facts.slot($0.key.id)?.serial == $0.key.serial }
        ?? false
    }
    var first = place
    while before[first] >= 0 { first = before[first] }
    let (from, to) = (causes.turns[first].ticks, causes.turns[place].ticks)
    let span = facts.seconds(from: from, to: to)
    let gap = span / Double(rounds[place])
    let silence = max(gap * gapFactor, min(pause.seconds, span * pause.share))
    // A value from outside may have replaced the circulating one.
    let signal = causes.turns[place].signal
    let next = causes.turns[(place + 1)...].first { $0.signal == signal }?.ticks ?? facts.last
    return !areLive || facts.seconds(from: to, to: next) <= silence
  }

  /// The sites of all subscriptions that receive values sent by the handlers of the given roots.
  static func sites(fedBy roots: [CausalScan.Handled], _ facts: FindingFacts) -> Set<UInt32> {
    let sent = roots.reduce(into: Set<UInt64>()) { $0.formUnion($1.sent) }
    var sites: Set<UInt32> = []
    for slot in facts.slots where slot.isLiveSubscription {
      guard let signal = facts.slot(TraceID(rawValue: slot.signal)), sent.contains(signal.serial)
      else { continue }
      var here = slot
      for _ in 0..<64 {
        sites.insert(here.site)
        guard here.link != .none, let downstream = facts.slot(here.link) else { break }
        here = downstream
      }
    }
    return sites
  }

  private static func draft(
    _ place: Int,
    _ count: Int,
    _ steps: [Int],
    _ before: [Int],
    _ causes: CausalScan,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    let roots = steps.compactMap { causes.handled[causes.turns[$0].root] }
    // The handler that was added last closed the loop.
    guard let root = roots.max(by: { $0.key < $1.key }) else { return nil }
    var first = place
    var numbers: [UInt64] = [causes.turns[place].number]
    while before[first] >= 0 {
      first = before[first]
      numbers.append(causes.turns[first].number)
    }
    let names = Set(steps.map { facts.site(causes.turns[$0].site).place }).sorted()
    let signals = Set(steps.map { causes.turns[$0].signal.serial }).count
    let seconds = facts.seconds(from: causes.turns[first].ticks, to: causes.turns[place].ticks)
    let time = Duration.seconds(seconds).brief
    return FindingDraft(
      kind: .feedbackLoop,
      site: root.site,
      summary: "\(count) times round in \(time)",
      sentence:
        "A value went round \(count) times within \(time) through \(signals) signals, \(names.joined(separator: " and ")), without anything from outside: the handler of each "
        + "sends to the next a little later, and it does not come to rest.",
      remedy:
        "Let only one of them follow the other, send only what is new (distinctUntilChanged behind "
        + "what turns one into the other and back), or "
        + "use bindTwoWay(to:), instead of sending from \(facts.site(root.site).place).",
      evidence: Evidence(
        events: numbers.sorted(),
        counters: ["times round \(count)", "signals \(signals)"]
      ),
      accusedRoots: [AccusedRoot(root)],
      rank: Rank(live: UInt64(count), rate: Double(count) / max(seconds, 0.001)),
      restsOnRecords: true,
      explains: sites(fedBy: roots, facts)
    )
  }
}
