import TraceModel
import TraceReading

/// Signals made from the values of an endless timer to which several lines subscribe at once, so
/// that each subscriber has a timer of its own.
///
/// A timer for each subscriber is right in many programs, so this is an INFO. A timer that is
/// subscribed to as it is, such as a clock, is not reported at all.
enum DuplicatedTimers {
  /// The minimum number of subscriptions that began while one of another line was running.
  private static let minimumCount = 3
  /// The minimum number of values that each timer must have sent.
  private static let minimumValues: UInt64 = 3
  /// The maximum number of subscriptions to one signal that are compared.
  private static let limit = 1024

  static func found(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let hasTimers = facts.sites.contains { isEndlessTimer($0) && $0.subscribed > minimumCount }
    guard facts.hasEvents, hasTimers, let histories = context.histories else { return [] }
    var bySignal: [TraceID: [Int]] = [:]
    for (place, one) in histories.all.enumerated()
    where one.creation != 0 && one.signal != .none && one.events >= minimumValues {
      guard isEndlessTimer(facts.site(one.site)), histories.inputs[place].isEmpty,
        facts.site(histories.all[histories.root(of: place)].site).traits.contains(.root)
      else { continue }
      bySignal[one.signal, default: []].append(place)
    }
    return bySignal.sorted { $0.key.rawValue < $1.key.rawValue }
      .compactMap { draft($0.value, histories, facts) }.worstOfEachLine
  }

  private static func isEndlessTimer(_ site: TraceSite) -> Bool {
    site.traits.contains(.timer) && site.traits.contains(.endless)
  }

  /// - Parameters:
  ///   - places: The subscriptions to one timer's signal, in the order of creation.
  private static func draft(_ places: [Int], _ histories: Histories, _ facts: FindingFacts)
    -> FindingDraft?
  {
    func root(_ place: Int) -> History { histories.all[histories.root(of: place)] }
    var open: [Int] = []
    var joined: [Int] = []
    var involved: Set<Int> = []
    var most = 0
    for place in places.prefix(limit) {
      let start = histories.all[place].createdAt
      open.removeAll { histories.all[$0].endedAt.map { $0 <= start } ?? false }
      let others = open.filter { root($0).site != root(place).site }
      open.append(place)
      guard !others.isEmpty else { continue }
      joined.append(place)
      involved.formUnion(others + [place])
      most = max(most, open.count)
    }
    guard joined.count >= minimumCount,
      let fork = fork(of: involved.sorted(), histories, facts),
      fork != histories.all[places[0]].site
    else { return nil }
    let row = facts.site(fork)
    let lines = Set(involved.map { facts.site(root($0).site).place }).sorted()
    let timer = facts.site(histories.all[places[0]].site).place
    return FindingDraft(
      kind: .duplicatedWork,
      level: .info,
      site: fork,
      summary: "\(joined.count) more timers for one signal, \(most) at once",
      sentence:
        "\(joined.count) subscriptions to one signal made here began while one of another line "
        + "was running, for \(lines.prefix(4).joined(separator: ", "))"
        + "\(lines.count > 4 ? ", …" : ""). Each has a timer of its own, \(timer), which began "
        + "with the subscription; \(most) ran at once.",
      remedy:
        "If all subscribers are to get the same values, put share() or replay behind \(row.place); "
        + "do nothing if each is to have a timer of its own.",
      evidence: Evidence(
        events: joined.map { histories.all[$0].creation }.sorted(),
        counters: ["begun meanwhile \(joined.count)", "at once \(most)"]
      ),
      accusedRoots: joined.map { AccusedRoot(root($0)) },
      rank: Rank(live: UInt64(joined.count)),
      restsOnRecords: true
    )
  }

  /// The site of the signal furthest downstream through which all of the given subscriptions pass.
  private static func fork(of places: [Int], _ histories: Histories, _ facts: FindingFacts)
    -> UInt32?
  {
    var steps = places
    while true {
      let next = steps.map { histories.all[$0].downstream }
      guard let first = next.first, !next.contains(-1) else { break }
      let one = histories.all[first]
      guard one.signal != .none, Set(next).count == next.count,
        next.allSatisfy({
          histories.all[$0].signal == one.signal && histories.inputs[$0].count == 1
        }),
        facts.site(one.site).traits.isDisjoint(with: [.root, .shares])
      else { break }
      steps = next
    }
    return steps.first.map { histories.all[$0].site }
  }
}
