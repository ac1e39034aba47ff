public import TraceModel
import TraceReading

extension FindingKind {
  /// Signals made at one line of code are kept, and their number grows.
  public static let signalGrowth = FindingKind(
    "signals-pile-up",
    "signals pile up",
    evidence: [.signalCreated],
    doubt: "They may be kept on purpose, as in a cache that is not full yet.",
    settledBy: [.time]
  )
}

/// Subscriptions of one caller, or subjects of one line, some of which remain from each window of
/// time.
///
/// The rule finds growth without marks, which are instants with the live count of every site, by
/// comparing the creation times of what is live now. If a line serves several callers, each is
/// judged separately, so that callers that clean up do not hide one that does not.
enum Residents: FindingRule {
  static let kinds: [FindingKind] = [.signalGrowth]

  /// The minimum number of subscriptions.
  private static let minimumSubscriptions = 6
  /// The minimum number of signals.
  private static let minimumSignals = 32
  /// The minimum number of signals if they have at least as many subscribers in total.
  private static let minimumObservedSignals = 8
  /// The minimum number of seconds between the creation of the oldest subscription or signal and
  /// the last instant at which the program is known to have run.
  private static let minimumTime = 1.5

  static func check(_ context: FindingContext) -> [FindingDraft] {
    signals(context) + subscriptions(context)
  }

  // MARK: Subscriptions

  private static func subscriptions(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    // If the program declares rounds, growth is judged by them.
    guard !facts.lacksSlots, !GrowthWindows.areDeclared(facts.marks) else { return [] }
    var groups: [UInt64: [TraceSlot]] = [:]
    for slot in facts.slots where slot.isLiveSubscription && slot.link == .none {
      let site = facts.site(slot.site)
      guard site.traits.contains(.root), site.live >= UInt64(minimumSubscriptions),
        !context.isAccused(slot.site), !context.isClaimed(slot.id)
      else { continue }
      groups[Packing.pair(high: slot.site, low: slot.chain), default: []].append(slot)
    }
    var rising: [UInt32: [TraceSlot]] = [:]
    for (key, slots) in groups.sorted(by: { $0.key < $1.key })
    where isRising(slots, minimumSubscriptions, facts) && !areRenewed(slots, facts) {
      rising[Packing.high(key), default: []] += slots
    }
    return rising.sorted { $0.key < $1.key }.map { site, slots in
      let row = facts.site(site)
      let survivors = Survivors(slots, facts)
      let span = Duration.seconds(survivors.span).brief
      return FindingDraft(
        kind: .growth,
        site: site,
        summary: "\(slots.count) live, some from each quarter of the time",
        sentence:
          "\(slots.count) subscriptions made here live, and some from each quarter of the \(span) since the oldest remain: \(survivors.text). Of "
          + "the \(row.subscribed) ever made here, \(row.endedCount) have ended.",
        remedy:
          "Dispose of what \(row.place) returns when its purpose is over: keep the disposable in "
          + "the bag of what needs it, or use take(until:). Marking rounds (Trace.mark) shows "
          + "whether the number of subscriptions grows.",
        evidence: Evidence(
          events: facts.creations(of: slots),
          counters: [
            "live \(row.live)", "subscribed \(row.subscribed)", "ended \(row.endedCount)",
            "of each quarter \(survivors.text)",
          ]
        ),
        members: slots,
        rank: Rank(
          growth: Double(survivors.counts.last ?? 0),
          live: UInt64(slots.count),
          age: survivors.span
        ),
        upstreamChain: walk.chain(upstreamOf: site),
        role: .symptom
      )
    }
  }

  /// Whether the number has grown in small steps up to the end.
  private static func isRising(_ slots: [TraceSlot], _ minimum: Int, _ facts: FindingFacts) -> Bool
  {
    let survivors = Survivors(slots, facts)
    guard survivors.rise(atLeast: minimum), survivors.span >= minimumTime else { return false }
    // Subscriptions that replace others are concentrated in the last windows, and subscriptions
    // made at the start of the program in the first window.
    guard let most = survivors.counts.max(), most * 5 < slots.count * 4 else { return false }
    return survivors.span * 2 >= facts.seconds(from: facts.start, to: facts.last)
  }

  /// Whether the line already had nearly as many live subscriptions halfway between the creation of
  /// the oldest one and now, which means that others ended while these were made.
  private static func areRenewed(_ slots: [TraceSlot], _ facts: FindingFacts) -> Bool {
    guard !facts.lacksMarks, let site = slots.first?.site,
      let oldest = slots.map(\.createdAt).min()
    else { return false }
    let middle = oldest + (max(facts.last, oldest) - oldest) / 2
    let marks = facts.marks.filter { !$0.hasLostCounts }
    guard let first = marks.lastIndex(where: { $0.ticks <= middle }) else { return false }
    func count(_ counts: [UInt32]) -> UInt64 {
      Int(site) < counts.count ? UInt64(counts[Int(site)]) : 0
    }
    let minimum = marks[(first + 1)...].map { count($0.minimumLive) }.min() ?? .max
    let before = min(count(marks[first].live), minimum)
    let live = facts.site(site).live
    return live <= before || (live - before) * 4 < UInt64(slots.count)
  }

  // MARK: Signals

  private static func signals(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    guard !facts.lacksSlots else { return [] }
    let sites = facts.sites.indices.filter { row in
      let site = facts.sites[row]
      return site.signalsCreated >= UInt64(minimumObservedSignals)
        && site.signalsCreated > site.signalsReleased
        && site.traits.contains(.subject)
    }
    guard !sites.isEmpty else { return [] }
    let wanted = Set(sites.map { UInt32($0) })
    var groups: [UInt32: [TraceSlot]] = [:]
    for slot in facts.slots where slot.kind == .signal && wanted.contains(slot.site) {
      groups[slot.site, default: []].append(slot)
    }
    return groups.keys.sorted().compactMap { site in
      guard let slots = groups[site], !context.isAccused(site) else { return nil }
      let observers = slots.reduce(UInt64(0)) { $0.saturatingAdding(UInt64($1.depth)) }
      // If signals have subscribers, fewer of them are enough.
      guard
        isRising(
          slots,
          observers >= UInt64(slots.count) ? minimumObservedSignals : minimumSignals,
          facts
        )
      else {
        return nil
      }
      let roots = walk.roots(downstreamOf: facts.observers(of: slots))
      // The signals may belong to objects that are kept and that another finding reports.
      let isPart = facts.slots.contains {
        $0.owner != 0 && roots.contains($0.site) && $0.isLiveSubscription
          && context.isClaimed(TraceID(rawValue: $0.owner))
      }
      guard !isPart else { return nil }
      let row = facts.site(site)
      let survivors = Survivors(slots, facts)
      return FindingDraft(
        kind: .signalGrowth,
        site: site,
        summary: "\(slots.count) kept of \(row.signalsCreated) made",
        sentence:
          "\(slots.count) of \(row.signalsCreated) subjects made here are kept, with "
          + "\(Words.count(observers, "observer")), and some from each quarter of the last "
          + "\(Duration.seconds(survivors.span).brief) remain: \(survivors.text).",
        remedy:
          "Complete what \(row.place) makes and release it when its producer is done, or bound how "
          + "many are kept.",
        evidence: Evidence(
          events: facts.signalCreations(of: slots),
          counters: [
            "signals made \(row.signalsCreated)", "signals released \(row.signalsReleased)",
            "of each quarter \(survivors.text)",
          ]
        ),
        members: slots,
        rank: Rank(
          growth: Double(survivors.counts.last ?? 0),
          live: UInt64(slots.count),
          age: survivors.span
        ),
        explains: roots
      )
    }
  }
}

extension FindingFacts {
  /// The numbers of the records that show the creation of the given signals.
  fileprivate func signalCreations(of slots: [TraceSlot]) -> [UInt64] {
    let serials = Dictionary(slots.map { ($0.id, $0.serial) }, uniquingKeysWith: max)
    var numbers: [UInt64] = []
    for record in records where record.kind == .signalCreated {
      if serials[record.entity] == record.signalCreation?.serial { numbers.append(record.number) }
    }
    return numbers
  }

  /// The live subscriptions to the given signals.
  fileprivate func observers(of signals: [TraceSlot]) -> [TraceSlot] {
    let wanted = Set(signals.map(\.id.rawValue))
    return slots.filter { $0.isLiveSubscription && wanted.contains($0.signal) }
  }
}
