public import TraceModel
import TraceReading

extension FindingKind {
  /// Values wait for a partner, or inner signals for their turn, and their number grows.
  public static let backlog = FindingKind(
    "backlog",
    "backlog that grows",
    evidence: [.next],
    doubt: "The slower side may catch up when fewer values come.",
    settledBy: [.time]
  )
}

/// Values that wait for a partner that does not come, or inner signals that wait for their turn,
/// and whose number grows.
enum Backlogs: FindingRule {
  static let kinds: [FindingKind] = [.backlog]

  /// An operator is examined only if more than this number of values or inner signals wait in it.
  static let many: UInt64 = 100
  /// The minimum number of waiting values if the trace does not show how long they have been
  /// waiting.
  private static let manyAtUnknownRate: UInt64 = 1000
  /// The number of values that a queue must have delivered for its rate to be known.
  private static let served: UInt64 = 50

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    var zips: [Zip] = []
    var queues: [TraceSlot] = []
    for slot in facts.slots where slot.isLiveSubscription {
      let traits = facts.site(slot.site).traits
      if traits.fate == .pairs || traits.contains(.switchesQueue) {
        if let zip = Zip(slot, walk), zip.held > many { zips.append(zip) }
      } else if traits.contains(.queuesInner), slot.depth > many {
        queues.append(slot)
      }
    }
    return zips.compactMap { draft($0, walk, facts) }.worstOfEachLine
      + waiting(queues, walk, facts).worstOfEachLine
  }

  // MARK: Values without a partner

  /// An operator that pairs its inputs, with the input that is ahead; or an operator that queues,
  /// with its only input.
  struct Zip {
    let stage: TraceSlot
    let ahead: TraceSlot
    let inputs: [TraceSlot]

    init?(_ stage: TraceSlot, _ walk: UpstreamWalk) {
      inputs = walk.upstreams(of: stage)
      let most = inputs.max { ($0.eventCount, $1.serial) < ($1.eventCount, $0.serial) }
      guard let ahead = most, ahead.eventCount > stage.eventCount else { return nil }
      self.stage = stage
      self.ahead = ahead
    }

    /// The number of values that have no partner yet, or that the queue has not delivered yet.
    var held: UInt64 { ahead.eventCount - stage.eventCount }
  }

  private static func draft(
    _ zip: Zip,
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    let start = zip.stage.createdAt
    let span = facts.seconds(from: start, to: facts.last)
    guard span >= Survivors.minimumSpan else { return nil }
    let quarter = (facts.last - start) / 4
    let ends = (1...4).map { $0 == 4 ? facts.last : start + quarter * UInt64($0) }
    let counts = facts.counts(of: [zip.stage, zip.ahead], at: ends)
    let held = zip.held
    var history: [UInt64] = []
    var numbers: Set<UInt64> = []
    for place in ends.indices {
      guard let input = counts[zip.ahead.id]?[place], let output = counts[zip.stage.id]?[place]
      else { continue }
      history.append(input.count > output.count ? input.count - output.count : 0)
      numbers.formUnion([input.number, output.number].filter { $0 != 0 })
    }
    let isKnown = history.count == ends.count && !numbers.isEmpty
    if isKnown {
      guard zip.isGrowing(history) else { return nil }
    } else {
      let isQueue = facts.site(zip.stage.site).traits.contains(.switchesQueue)
      let minimum = isQueue && zip.stage.eventCount >= served ? many * 2 : manyAtUnknownRate
      guard held >= minimum, zip.stage.eventCount < zip.ahead.eventCount / 2 else { return nil }
    }
    let row = facts.site(zip.stage.site)
    let isPair = row.traits.fate == .pairs
    let inputs = zip.inputs.map { "\($0.eventCount) from \(facts.site($0.site).place)" }
      .joined(separator: " and ")
    let quarters =
      isKnown ? " Waiting at the end of each quarter since it began: \(Words.list(history))." : ""
    return FindingDraft(
      kind: .backlog,
      site: zip.stage.site,
      subject: zip.stage.key,
      summary: "\(held) values without \(isPair ? "a partner" : "their turn")",
      sentence: (isPair
        ? "\(held) values wait here for a partner: there were \(inputs), "
          + "which made \(Words.count(zip.stage.eventCount, "pair"))."
        : "\(held) values wait here for a queue that is slower than they come: there were \(inputs), "
          + "of which \(zip.stage.eventCount) were delivered.") + quarters,
      remedy: isPair
        ? "Pair with the latest value instead (withLatest, combineLatest), or slow down the faster side of "
          + "\(row.place)."
        : "Let what handles them take less time, or drop what nobody needs before \(row.place): throttle, "
          + "sample, buffer.",
      evidence: Evidence(
        events: numbers.sorted(),
        counters: ["values held \(held)", "passed \(zip.stage.eventCount)"]
      ),
      members: [zip.stage] + zip.inputs,
      cap: isKnown ? nil : "SUSPECT at most: when these came is not in this trace.",
      rank: Rank(live: held, rate: Double(held) / max(span, 1), age: span),
      upstreamChain: walk.chain(upstreamOf: zip.stage.site),
      restsOnRecords: true
    )
  }

  // MARK: Waiting inner signals

  private static func waiting(
    _ queues: [TraceSlot],
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> [FindingDraft] {
    let depths = facts.records(about: queues) { $0 == .depth }
    return queues.compactMap { slot in
      let doublings = Doublings(depths[slot.id] ?? [])
      guard UInt64(doublings.highest) * 2 > many,
        doublings.keepsGrowing(since: slot.createdAt, facts)
      else { return nil }
      let row = facts.site(slot.site)
      let running = walk.upstreams(of: slot).last
      let oldest = running.map { facts.age($0.createdAt) } ?? 0
      return FindingDraft(
        kind: .backlog,
        site: slot.site,
        subject: slot.key,
        summary: "\(slot.depth) inner signals wait their turn",
        sentence:
          "\(slot.depth) inner signals wait here for their turn, and their number has doubled "
          + "since about the middle of the time; the one that runs has done so for "
          + "\(Duration.seconds(oldest).brief)"
          + (running.map { ": \(facts.site($0.site).place)." } ?? "."),
        remedy:
          "Let what runs in \(row.place) end (take, timeout), run more at once, or drop what is out of date "
          + "with flatMapLatest.",
        evidence: Evidence(events: doublings.numbers, counters: ["waiting \(slot.depth)"]),
        members: [slot],
        rank: Rank(live: UInt64(slot.depth), age: facts.age(slot.createdAt)),
        upstreamChain: walk.chain(upstreamOf: slot.site),
        restsOnRecords: true
      )
    }
  }
}

extension Backlogs.Zip {
  /// Whether the number of waiting values grows, given that number at the end of each quarter.
  ///
  /// Either it rises in every quarter and is high at the end; or it is high in every quarter, at
  /// least twice as high at the end as at the beginning, and at the end not far below its maximum.
  func isGrowing(_ history: [UInt64]) -> Bool {
    guard let first = history.first, let last = history.last, last > Backlogs.many else {
      return false
    }
    if zip(history, history.dropFirst()).allSatisfy({ $0 < $1 }) { return true }
    let most = history.max() ?? last
    return history.allSatisfy { $0 > Backlogs.many } && last >= first * 2 && last * 4 >= most * 3
  }
}
