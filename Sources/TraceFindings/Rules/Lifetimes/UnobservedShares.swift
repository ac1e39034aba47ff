import TraceModel
import TraceReading

/// Shared subscriptions that continue without subscribers although their signal is released, so
/// that nobody can subscribe to it again.
enum UnobservedShares {
  /// The findings, one for each line.
  ///
  /// - Parameters:
  ///   - runs: Shared subscriptions without subscribers, whose signals the program has released.
  ///   - walk: The walk that finds their sources.
  ///   - facts: The facts of the same trace.
  /// - Returns: The drafts, in the order of the lines.
  static func drafts(
    of runs: [TraceSlot],
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> [FindingDraft] {
    // If slots (entries for live entities) are lost, the signal or its subscribers may be among
    // them.
    guard !facts.lacksSlots else { return [] }
    let endless = runs.filter { walk.endlessSource(upstreamOf: $0) != nil }
    return Dictionary(grouping: endless, by: \.site).sorted { $0.key < $1.key }
      .filter { $0.value.contains { facts.isSettled($0.createdAt) } }
      .map { draft($0, $1, walk, facts) }
  }

  private static func draft(
    _ site: UInt32,
    _ slots: [TraceSlot],
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let source =
      slots.compactMap { walk.endlessSource(upstreamOf: $0)?.place }.min() ?? "its source"
    let one = slots.count == 1
    let survivors = Survivors(slots, facts)
    let rises = survivors.rise(atLeast: Survivors.windows)
    return FindingDraft(
      kind: .orphanConnection,
      level: rises || !one ? .leak : .suspect,
      site: site,
      subject: one ? slots[0].key : nil,
      summary: "\(slots.count) of \(row.subscribed) go on for nobody",
      sentence:
        "\(Words.count(slots.count, "subscription")) that \(row.place) shares "
        + "\(one ? "goes" : "go") on without a subscriber, and nobody can subscribe any more, "
        + "because "
        + "\(one ? "its signal is" : "their signals are") gone; \(source) never ends"
        + (rises
          ? ", and some from each quarter of the last \(Duration.seconds(survivors.span).brief) "
            + "remain: \(survivors.text)."
          : "."),
      remedy:
        "Let what \(row.place) shares end with its last subscriber (share(replay:)), make it once and keep it, or end the source with take(until:).",
      evidence: Evidence(
        events: facts.creations(of: slots),
        counters: [
          "without a subscriber \(slots.count)",
          "shared subscriptions and subscribers live \(row.live)",
        ]
      ),
      members: slots,
      rank: Rank(
        growth: rises ? Double(survivors.counts.last ?? 0) : 0,
        live: UInt64(slots.count),
        age: survivors.span
      ),
      upstreamChain: walk.chain(upstreamOf: site),
      explains: slots.prefix(100).reduce(into: [site]) { $0.formUnion(walk.sites(upstreamOf: $1)) },
      proof: [
        "nobody subscribes to what \(row.place) shares",
        "the program no longer refers to its signal, so that nobody can",
        "it does not end with its last subscriber",
        "\(source) never ends by itself",
      ]
    )
  }
}
