public import TraceModel
import TraceReading

extension FindingKind {
  /// Two paths from one source meet again after passing different queues, so that values may
  /// overtake each other.
  public static let splitQueues = FindingKind(
    "order-over-queues",
    "order lost over queues",
    evidence: [.subscribed],
    doubt:
      "Nothing has been seen to arrive in the wrong order, which depends on how the queues happen to run."
  )
}

/// Operators at which two paths from one source meet, one of which passes through a queue that the
/// other does not.
enum SplitQueues: FindingRule {
  static let kinds: [FindingKind] = [.splitQueues]

  /// The maximum number of inputs of one operator that are compared.
  private static let inputLimit = 64

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    guard facts.sites.contains(where: { $0.traits.contains(.switchesQueue) && $0.subscribed > 0 })
    else {
      return []
    }
    var found: [UInt32: FindingDraft] = [:]
    for slot in facts.slots where slot.isLiveSubscription && found[slot.site] == nil {
      let traits = facts.site(slot.site).traits
      guard traits.contains(.merging), traits.inputs == .partners, !traits.contains(.queuesInner)
      else {
        continue
      }
      let paths = walk.upstreams(of: slot).prefix(inputLimit).map { path(from: $0, walk, facts) }
      for (place, one) in paths.enumerated() {
        for other in paths[..<place] {
          guard let source = one.sources.intersection(other.sources).min(),
            one.queues != other.queues
          else {
            continue
          }
          found[slot.site] = draft(slot, source, one.stages + other.stages, walk, facts)
        }
      }
    }
    return found.keys.sorted().compactMap { found[$0] }
  }

  private struct Path {
    var sources: Set<UInt32> = []
    var queues: Set<UInt32> = []
    var stages: [TraceSlot] = []
  }

  private static func path(from slot: TraceSlot, _ walk: UpstreamWalk, _ facts: FindingFacts)
    -> Path
  {
    var path = Path()
    var left = [slot]
    var budget = 256
    while let here = left.popLast(), budget > 0 {
      budget -= 1
      let traits = facts.site(here.site).traits
      if traits.contains(.switchesQueue) {
        // The argument of the operator's signal names the scheduler.
        path.queues.insert(facts.slot(facts.signal(of: here.key))?.argument ?? 0)
        path.stages.append(here)
      }
      let upstreams = walk.upstreams(of: here)
      if upstreams.isEmpty, here.signal != 0 { path.sources.insert(here.signal) }
      left += upstreams
    }
    return path
  }

  private static func draft(
    _ slot: TraceSlot,
    _ source: UInt32,
    _ stages: [TraceSlot],
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(slot.site)
    let places = Set(stages.map { facts.site($0.site).place }).sorted()
    let from =
      facts.slot(TraceID(rawValue: source)).map { facts.site($0.site).place } ?? "one source"
    return FindingDraft(
      kind: .splitQueues,
      site: slot.site,
      subject: slot.key,
      summary: "two paths from \(from) over different queues",
      sentence:
        "2 paths from \(from) come together here, one of them by way of \(places.joined(separator: " and ")): what was sent first may arrive last.",
      remedy:
        "Put one deliver(on:) behind \(row.place) instead of those in front of it, so that all values go over one queue in their order.",
      evidence: Evidence(
        events: facts.creations(of: [slot] + stages),
        counters: ["ways 2", "values \(slot.eventCount)"]
      ),
      members: [slot] + stages,
      rank: Rank(live: slot.eventCount),
      upstreamChain: walk.chain(upstreamOf: slot.site)
    )
  }
}
