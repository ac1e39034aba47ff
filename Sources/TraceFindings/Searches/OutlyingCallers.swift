import TraceModel
import TraceReading

/// Compares the callers for which one line subscribes, and finds a caller whose handler hardly ever
/// runs on the main queue, although the handlers of all other callers always do.
///
/// A program that moves values to another queue on purpose does so by an operator, or by a timer
/// that runs there. Only accidental moves are reported: a delay, an inner signal or a task
/// continues elsewhere, and an operator that moves values to the main queue is missing, or is
/// upstream of the move, where it has no effect.
enum OutlyingCallers {
  /// The minimum number of other callers, all of whose values are on the main queue.
  private static let minimumOthers = 3
  /// The minimum number of these others for each caller that differs.
  private static let othersForEach = 3
  /// The minimum number of values that show where the handler of a caller runs.
  private static let minimumCount = 3
  /// The minimum number of values elsewhere.
  private static let minimumElsewhere = 5
  /// The maximum share of a differing caller's values that are on the main queue nevertheless.
  private static let share = 0.2

  /// The values for one caller of a line.
  private struct Caller {
    var main = 0
    var movedToMain = 0
    var elsewhere = 0
    var numbers: [UInt64] = []
    var places: Set<DeliveryScan.Place> = []
    var stagesMovingElsewhere: [UInt32: Int] = [:]
    var roots: [CausalScan.Handled] = []

    var all: Int { main + elsewhere }
  }

  static func found(_ context: FindingContext) -> [FindingDraft] {
    guard let scan = context.deliveries else { return [] }
    var callers: [UInt32: Int] = [:]
    for key in scan.deliveries.keys { callers[Packing.high(key), default: 0] += 1 }
    guard callers.values.contains(where: { $0 > minimumOthers }), let causes = context.causes,
      let histories = context.histories
    else { return [] }
    let isWhole = scan.isWhole(context.facts)
    let isMainThreadMain = isWhole && !scan.mainQueueChangesThreads
    var lines: [UInt32: [UInt32: Caller]] = [:]
    for (_, one) in causes.handled.sorted(by: { $0.key < $1.key }) {
      var caller = lines[one.site]?[one.chain] ?? Caller()
      for (place, count) in one.places where place != .main {
        // The queue is unknown for a thread that has run work of the main queue, but is running no
        // scheduler's work now.
        if case .thread(let thread) = place, !isWhole || causes.mainThreads.contains(thread) {
          continue
        }
        caller.elsewhere += count
        caller.places.insert(place)
      }
      caller.main += isMainThreadMain ? one.main : one.movedToMain
      caller.movedToMain += one.movedToMain
      caller.numbers += one.elsewhere.numbers
      caller.stagesMovingElsewhere.merge(one.stagesMovingElsewhere) { $0 + $1 }
      caller.roots.append(one)
      lines[one.site, default: [:]][one.chain] = caller
    }
    return lines.keys.sorted().flatMap { site in
      let callers = (lines[site] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        .filter { $0.all >= minimumCount }
      let isDeclared = context.facts.site(site).traits.contains(.onMainQueue)
      let others = callers.filter { $0.elsewhere == 0 }
      let outliers = callers.filter { $0.elsewhere > 0 }
      guard !isDeclared, others.count >= minimumOthers, !outliers.isEmpty,
        others.count >= outliers.count * othersForEach,
        others.count(where: { $0.movedToMain > 0 }) >= 2
      else { return [FindingDraft]() }
      return outliers.compactMap { draft(site, $0, others, causes, histories, context) }
    }
  }

  /// The stage that moves the values for one caller to the main queue.
  private static func stageMovingToMain(
    _ caller: Caller,
    _ causes: CausalScan,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Int? {
    caller.roots.lazy.compactMap { root -> Int? in
      guard let place = histories.place(of: root.key) else { return nil }
      return histories.tree(upstreamOf: place, limit: 256).first { upstream in
        let one = histories.all[upstream]
        return facts.site(one.site).traits.contains(.switchesQueue)
          && (causes.targets[one.key.serial] ?? []).contains { facts.scheduler($0)?.kind == .main }
      }
    }.first
  }

  /// Whether the origin of everything that one caller subscribes to is known.
  private static func isKnown(
    _ caller: Caller,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Bool {
    caller.roots.allSatisfy { root in
      guard let place = histories.place(of: root.key), !histories.inputs[place].isEmpty else {
        return false
      }
      return histories.tree(upstreamOf: place, limit: 256).allSatisfy { upstream in
        let traits = facts.site(histories.all[upstream].site).traits
        return !histories.inputs[upstream].isEmpty || traits.fate == .unknown
          || !traits.isDisjoint(with: [.hot, .shares])
      }
    }
  }

  private static func draft(
    _ site: UInt32,
    _ caller: Caller,
    _ others: [Caller],
    _ causes: CausalScan,
    _ histories: Histories,
    _ context: FindingContext
  ) -> FindingDraft? {
    let facts = context.facts
    guard caller.elsewhere >= minimumElsewhere, Double(caller.main) <= Double(caller.all) * share,
      let movingStage = caller.stagesMovingElsewhere.max(by: {
        ($0.value, $0.key) < ($1.value, $1.key)
      })?.key,
      !facts.site(movingStage).traits.contains(.switchesQueue)
    else { return nil }
    let row = facts.site(site)
    let ineffectiveStage = stageMovingToMain(caller, causes, histories, facts)
    if ineffectiveStage == nil {
      // A timer runs where the program asked for it. Without an operator that moves to the main
      // queue, nothing shows that the values belong there, unless the other callers have such an
      // operator.
      guard !facts.site(movingStage).traits.contains(.timer), isKnown(caller, histories, facts),
        others.count(where: { stageMovingToMain($0, causes, histories, facts) != nil })
          >= minimumOthers
      else { return nil }
    }
    let names = Set(caller.places.map { WrongQueue.name($0, facts) }).sorted()
    let way = ineffectiveStage.map { facts.site(histories.all[$0].site).place }
    let by = movingStage == 0 ? "" : ", where \(facts.site(movingStage).place) has brought them"
    let sentence =
      "\(caller.elsewhere) of \(caller.all) values of one caller were handled by \(row.place) on \(names.joined(separator: " and "))\(by), and all "
      + "\(others.reduce(0) { $0 + $1.main }) of \(others.count) other callers on the main queue."
      + (way.map { " That \($0) leads to the main queue has no effect on the handler." } ?? "")
    var draft = FindingDraft(
      kind: .wrongQueue,
      site: ineffectiveStage.map { histories.all[$0].site } ?? site,
      summary: "\(caller.elsewhere) of \(caller.all) values of one caller not on the main queue",
      sentence: sentence,
      remedy: way.map {
        "Put \($0) behind everything that may change the queue, right in front of \(row.place)."
      }
        ?? "Put deliver(on: .main) in front of \(row.place), behind everything that may change the queue.",
      evidence: Evidence(
        events: caller.numbers.sorted(),
        counters: ["on the main queue \(caller.main)", "elsewhere \(caller.elsewhere)"]
      ),
      rank: Rank(live: UInt64(caller.elsewhere)),
      restsOnRecords: true,
      ruledOut: [
        "a handler that runs anywhere: \(Words.count(others.count, "other caller")) of it had nothing elsewhere",
        "a path to another queue on purpose: what has brought most of the values there is not deliver(on:)",
      ]
    )
    if let ineffectiveStage {
      let stage = histories.all[ineffectiveStage]
      draft.accusedStages = [AccusedRoot(stage)]
    } else {
      draft.accusedRoots = caller.roots.map {
        AccusedRoot($0)
      }
    }
    return draft
  }
}
