public import TraceModel
import TraceReading

extension FindingKind {
  /// A handler that usually runs on the main queue sometimes does not.
  public static let wrongQueue = FindingKind(
    "wrong-queue",
    "values on another queue",
    needsEvents: true,
    needsAll: true,
    evidence: [.next],
    doubt: "Only the author of the code knows whether the handler may run on any queue.",
    settledBy: [.callers]
  )
}

/// Handlers that run on the main queue with only a few exceptions.
///
/// Queues are compared rather than threads, because a serial queue runs on any thread of a pool.
enum WrongQueue: FindingRule {
  static let kinds: [FindingKind] = [.wrongQueue]

  /// The minimum number of values of a line.
  private static let minimumValues = 20
  /// The minimum share of values on the main queue.
  private static let share = 0.8
  /// The minimum number of values elsewhere.
  private static let minimumElsewhere = 3

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    // If the beginning or the end of a piece of work is missing, the queue of later events is
    // unknown.
    guard facts.loss == nil, let scan = context.deliveries else { return [] }
    let knowsThreads = !scan.mainQueueChangesThreads && scan.isWhole(facts)
    // Each caller of a line may use a different queue, so callers are judged separately. The values
    // of the callers that are at fault are added up.
    var bySite: [UInt32: Handled] = [:]
    for (key, deliveries) in scan.deliveries {
      let site = Packing.high(key)
      let handled = Handled(
        deliveries.filter { place, _ in
          if case .thread = place { return knowsThreads }
          return true
        }
      )
      let isDeclared = facts.site(site).traits.contains(.onMainQueue)
      if isDeclared
        ? handled.elsewhereCount > 0
        : handled.isMostlyOnMain && !isExplainedByTimers(site, Packing.low(key), context)
      {
        bySite[site, default: Handled()].add(handled)
      }
    }
    let now = bySite.sorted { $0.key < $1.key }.map { site, handled -> FindingDraft in
      let row = facts.site(site)
      let isDeclared = row.traits.contains(.onMainQueue)
      let (main, elsewhere) = (handled.main, handled.elsewhere)
      let (all, elsewhereCount) = (handled.all, handled.elsewhereCount)
      let names = Set(elsewhere.keys.map { name($0, facts) }).sorted()
      let numbers = elsewhere.values.flatMap(\.numbers).sorted()
      return FindingDraft(
        kind: .wrongQueue,
        level: isDeclared ? .violation : .suspect,
        site: site,
        summary: "\(elsewhereCount) of \(all) values not on the main queue",
        sentence:
          "\(elsewhereCount) of \(all) values were handled here on \(names.joined(separator: " and ")), "
          + (main == 0 ? "none on the main queue." : "all others on the main queue."),
        remedy:
          "Put deliver(on: .main) in front of \(row.place), behind everything that may change the queue.",
        evidence: Evidence(
          events: numbers,
          counters: ["on the main queue \(main)", "elsewhere \(elsewhereCount)"]
        ),
        cap: scan.isWhole(facts)
          ? nil
          : "\(isDeclared ? "" : "SUSPECT at most: ")values before the records that are left are not counted.",
        rank: Rank(live: UInt64(elsewhereCount)),
        upstreamChain: walk.chain(upstreamOf: site),
        restsOnRecords: true,
        ruledOut: ruledOut(main, all, elsewhere.keys)
      )
    }
    let lines = now + MovedBeginnings.found(context) + OutlyingCallers.found(context)
    return (lines + OutlyingNeighbours.found(except: Set(lines.map(\.site)), context))
      .worstOfEachLine
  }

  /// Where values of a line were handled.
  private struct Handled {
    var main = 0
    var elsewhere: [DeliveryScan.Place: DeliveryScan.Deliveries] = [:]

    init() {}

    init(_ places: [DeliveryScan.Place: DeliveryScan.Deliveries]) {
      main = places[.main]?.count ?? 0
      elsewhere = places.filter { $0.key != .main }
    }

    var elsewhereCount: Int { elsewhere.values.reduce(0) { $0 + $1.count } }
    var all: Int { main + elsewhereCount }

    var isMostlyOnMain: Bool {
      elsewhereCount >= minimumElsewhere && all >= minimumValues
        && Double(main) >= Double(all) * share
    }

    mutating func add(_ other: Handled) {
      main += other.main
      elsewhere.merge(other.elsewhere) { first, second in
        DeliveryScan.Deliveries(
          count: first.count + second.count,
          numbers: Array((first.numbers + second.numbers).sorted().prefix(Evidence.eventLimit))
        )
      }
    }
  }

  /// Whether all values on the main queue arrived there only because an operator that runs its
  /// timer on that queue had kept them for a time.
  ///
  /// Such an operator forwards other values at once on the sender's queue, so nothing shows that
  /// the program meant the handler to run on the main queue.
  private static func isExplainedByTimers(
    _ site: UInt32,
    _ chain: UInt32,
    _ context: FindingContext
  ) -> Bool {
    guard let causes = context.causes else { return false }
    let handled = causes.handled.values.filter {
      $0.site == site && $0.chain == chain && $0.main > 0
    }
    return !handled.isEmpty
      && handled.allSatisfy { one in
        // One value that existed before the subscription may have been delivered on the queue on
        // which the subscription was made.
        one.movedToMain > 0 && one.movedToMain + 1 >= one.main
          && one.stagesMovingToMain.keys.allSatisfy { stage in
            let traits = context.facts.site(stage).traits
            return traits.fate == .keepsLatest && !traits.contains(.switchesQueue)
          }
      }
  }

  private static func ruledOut(
    _ main: Int,
    _ all: Int,
    _ elsewhere: some Sequence<DeliveryScan.Place>
  ) -> [String] {
    let areQueues = elsewhere.allSatisfy { if case .scheduler = $0 { true } else { false } }
    return
      (areQueues
      ? ["a queue that has only changed its thread: queues are compared, not threads"] : [])
      + (Double(main) >= Double(all) * share
        ? ["a handler that runs anywhere: \(main) of \(all) values were on the main queue"] : [])
  }

  static func name(_ place: DeliveryScan.Place, _ facts: FindingFacts) -> String {
    switch place {
    case .main: "the main queue"
    case .scheduler(let row): "queue \(facts.scheduler(row).map { "'\($0.name)'" } ?? "?")"
    case .thread: "a thread of its own"
    }
  }
}
