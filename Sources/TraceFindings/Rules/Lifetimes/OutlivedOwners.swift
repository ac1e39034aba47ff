public import TraceModel
import TraceReading

extension FindingKind {
  /// A subscription is still live although the object that was to end it has ended.
  public static let outlivedOwner = FindingKind(
    "owner-ended",
    "subscription outlives its owner",
    evidence: [.disposableReleased, .ownerBound, .ownerEnded]
  )
}

/// Subscriptions that are still live although the object that was to end them has ended.
enum OutlivedOwners: FindingRule {
  static let kinds: [FindingKind] = [.outlivedOwner]

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    var left: [UInt32: [TraceSlot]] = [:]
    for slot in facts.slots where slot.isLiveSubscription && slot.owner != 0 {
      guard facts.slot(TraceID(rawValue: slot.owner)).map({ $0.kind != .owner }) ?? true,
        walk.endlessSource(upstreamOf: slot) != nil
      else { continue }
      left[slot.site, default: []].append(slot)
    }
    guard !left.isEmpty else { return [] }
    let recordsBySlot = facts.records(about: left.values.joined()) {
      $0 == .disposableReleased || $0 == .ownerBound
    }
    let ends = ends(of: Set(left.values.joined().map(\.owner)), facts)
    return left.keys.sorted().compactMap { site in
      let known = (left[site] ?? []).filter { slot in
        ends[slot.owner] != nil
          && recordsBySlot[slot.id]?.contains { $0.kind == .disposableReleased } ?? false
      }
      guard !known.isEmpty else { return nil }
      return draft(site, known, recordsBySlot, ends, walk, facts)
    }
  }

  /// The records of the ends of owners.
  private static func ends(of owners: Set<UInt32>, _ facts: FindingFacts) -> [UInt32: UInt64] {
    var ends: [UInt32: UInt64] = [:]
    for record in facts.records where record.kind == .ownerEnded && owners.contains(record.id) {
      ends[record.id] = record.number
    }
    return ends
  }

  private static func draft(
    _ site: UInt32,
    _ slots: [TraceSlot],
    _ recordsBySlot: [TraceID: [TraceRecord]],
    _ ends: [UInt32: UInt64],
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let source =
      slots.compactMap { walk.endlessSource(upstreamOf: $0)?.place }.min() ?? "its source"
    let one = slots.count == 1
    let numbers = slots.flatMap { slot in
      (recordsBySlot[slot.id] ?? []).map(\.number) + [ends[slot.owner]].compactMap { $0 }
    }
    return FindingDraft(
      kind: .outlivedOwner,
      level: .leak,
      site: site,
      subject: one ? slots[0].key : nil,
      summary: "\(slots.count) live, \(one ? "its owner" : "their owners") gone",
      sentence:
        "\(Words.count(slots.count, "subscription")) made here \(one ? "lives" : "live") on although what "
        + "owned \(one ? "it" : "them") has ended without ending \(one ? "it" : "them"), the "
        + "\(one ? "disposable is" : "disposables are") gone, and \(source) never ends.",
      remedy:
        "Dispose of what \(row.place) returned when it is taken out of its owner with remove(_:), or put it "
        + "into another owner.",
      evidence: Evidence(
        events: Set(numbers).sorted(),
        counters: ["live \(row.live)", "disposables dropped \(row.disposablesReleased)"]
      ),
      members: slots,
      rank: Rank(live: UInt64(slots.count), age: slots.map { facts.age($0.createdAt) }.max() ?? 0),
      upstreamChain: walk.chain(upstreamOf: site),
      restsOnRecords: true,
      explains: [site],
      proof: [
        "what owned \(one ? "it" : "them") has ended and ends nothing any more",
        "the \(one ? "disposable is" : "disposables are") gone, so that nobody can dispose of \(one ? "it" : "them")",
        "\(source) never ends by itself",
      ]
    )
  }
}
