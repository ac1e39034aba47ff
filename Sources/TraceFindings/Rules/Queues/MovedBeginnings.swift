import TraceModel
import TraceReading

/// Finds uses of `subscribe(on:)` that subscribe on the main queue to a source, such as a subject,
/// although the source sends its values on another queue.
///
/// `subscribe(on:)` moves only the work of subscribing. A subject sends on the queue of its sender,
/// so the values do not arrive on the main queue, although the author probably meant them to.
enum MovedBeginnings {
  /// The minimum number of values handled on another queue.
  private static let minimumValues = 3

  private struct Move {
    var stage: Int
    var source: UInt32
    var handled: CausalScan.Handled
  }

  static func found(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.sites.contains(where: { $0.traits.contains(.beginsElsewhere) }),
      let scan = context.deliveries, scan.isWhole(facts), !scan.mainQueueChangesThreads,
      let histories = context.histories, let causes = context.causes
    else { return [] }
    var found: [UInt32: [Move]] = [:]
    for (place, one) in histories.all.enumerated()
    where facts.site(one.site).traits.contains(.beginsElsewhere) {
      if let move = move(place, histories, causes, facts) {
        found[one.site, default: []].append(move)
      }
    }
    return found.keys.sorted().compactMap { site in
      found[site].flatMap { draft(site, $0, histories, facts) }
    }
  }

  private static func move(
    _ place: Int,
    _ histories: Histories,
    _ causes: CausalScan,
    _ facts: FindingFacts
  ) -> Move? {
    let stage = histories.all[place]
    let isToMain = (causes.targets[stage.key.serial] ?? []).contains {
      facts.scheduler($0)?.kind == .main
    }
    let root = histories.all[histories.root(of: place)]
    guard isToMain, let handled = causes.handled[root.key.serial], handled.main == 0 else {
      return nil
    }
    let isKnown = handled.places.keys.allSatisfy { place in
      if case .thread(let thread) = place { return !causes.mainThreads.contains(thread) }
      return true
    }
    // No operator on the path may change the queue, either on purpose or as a side effect.
    func isPlain(_ place: Int) -> Bool {
      let traits = facts.site(histories.all[place].site).traits
      return traits.contains(.root) || traits.fate == .passes || traits.fate == .drops
        || traits.fate == .folds
    }
    var here = stage.downstream
    while here >= 0 {
      guard isPlain(here) else { return nil }
      here = histories.all[here].downstream
    }
    guard let path = histories.upstreamPath(from: place), path.dropLast().allSatisfy(isPlain),
      let source = path.last.map({ histories.all[$0].site })
    else { return nil }
    guard isKnown, facts.site(source).traits.contains(.hot) else { return nil }
    return Move(stage: place, source: source, handled: handled)
  }

  private static func draft(
    _ site: UInt32,
    _ moves: [Move],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    let count = moves.reduce(0) { $0 + $1.handled.elsewhere.count }
    guard count >= minimumValues, let first = moves.first else { return nil }
    let row = facts.site(site)
    let source = facts.site(first.source).place
    let names = Set(moves.flatMap { $0.handled.places.keys }.map { WrongQueue.name($0, facts) })
    return FindingDraft(
      kind: .wrongQueue,
      site: site,
      summary: "\(count) values not on the main queue, where only the subscribing was moved",
      sentence:
        "\(row.place) subscribes on the main queue, but \(source) sends on the queue that calls it: all \(count) values behind it were handled on \(names.sorted().joined(separator: " and ")), none on the main "
        + "queue.",
      remedy: "Use deliver(on: .main) in place of \(row.place), behind everything else.",
      evidence: Evidence(
        events: moves.flatMap(\.handled.elsewhere.numbers).sorted(),
        counters: ["on the main queue 0", "elsewhere \(count)"]
      ),
      accusedStages: moves.map {
        let stage = histories.all[$0.stage]
        return AccusedRoot(stage)
      },
      affected: moves.map(\.handled.key),
      rank: Rank(live: UInt64(count)),
      restsOnRecords: true,
      ruledOut: [
        "a source that begins its work when it is subscribed to: \(source) sends whether or not anybody listens",
        "another operator that changes the queue: all between them forward values on the queue on which they arrive",
      ]
    )
  }
}
