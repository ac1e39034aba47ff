import TraceModel
import TraceReading

/// Operators that need a value of each input, and of which subscriptions completed without having
/// sent one, although not all their inputs were empty.
struct UnservedCombinations {
  struct Unserved {
    var stage: Int
    /// The source of the input that has sent no value.
    var source: Int
    /// The number of values that its other inputs had sent.
    var dropped: UInt64
  }

  /// By line: the number of subscriptions that have sent a value.
  private(set) var served: [UInt32: Int] = [:]
  /// By line: the subscriptions of which one input completed by itself without a value.
  private(set) var emptied: [UInt32: [Unserved]] = [:]
  /// By line: the subscriptions that ended before one input had sent a value.
  private(set) var late: [UInt32: [Unserved]] = [:]

  /// Searches the histories.
  ///
  /// - Complexity: O(*n*) in the number of histories.
  init(_ histories: Histories, _ facts: FindingFacts) {
    let lines = facts.sites.map { $0.traits.contains(.waitsForAll) && $0.ended(.completed) > 1 }
    guard lines.contains(true) else { return }
    for (place, one) in histories.all.enumerated()
    where Int(one.site) < lines.count && lines[Int(one.site)] && one.creation != 0 {
      if one.events > 0 { served[one.site, default: 0] += 1 }
      guard one.events == 0, one.reason == .completed,
        NothingPasses.isValueMissing(place, histories, facts)
      else { continue }
      let inputs = histories.inputs[place]
      let dropped = inputs.reduce(UInt64(0)) { $0.saturatingAdding(histories.all[$1].events) }
      let cut = inputs.first {
        histories.all[$0].events == 0 && histories.all[$0].reason == .cancelled
      }
      switch facts.site(one.site).traits.inputs {
      case .partners:
        if dropped > 0 || cut != nil,
          let source = inputs.lazy.compactMap({ Self.emptySource(of: $0, histories, facts) }).first
        {
          emptied[one.site, default: []]
            .append(Unserved(stage: place, source: source, dropped: dropped))
        }
      case .sampled:
        if dropped > 0, let cut, let source = histories.source(of: one, facts),
          histories.all[cut].signal != source
        {
          late[one.site, default: []].append(Unserved(stage: place, source: cut, dropped: dropped))
        }
      default: break
      }
    }
  }

  /// The source of an input that completed by itself without a value; nil if it did not, or if the
  /// program may have decided when it ended.
  private static func emptySource(
    of input: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Int? {
    guard histories.all[input].events == 0 else { return nil }
    // Everything upstream has completed by itself. An operator such as `take(while:)` that ends its
    // input cancels it.
    let endsByItself = histories.tree(upstreamOf: input, limit: 64).allSatisfy {
      let one = histories.all[$0]
      return one.creation != 0 && one.reason == .completed
        && facts.site(one.site).traits
          .isDisjoint(with: [.hot, .subject, .source, .shares, .replays])
    }
    guard endsByItself else { return nil }
    var here = input
    while true {
      // An empty combination of signals is reported itself.
      if facts.site(histories.all[here].site).traits.contains(.waitsForAll) { return nil }
      let inputs = histories.inputs[here]
      guard inputs.count == 1, histories.all[inputs[0]].events == 0 else { return here }
      here = inputs[0]
    }
  }

  /// The lines of the sources that sent nothing, joined by "or" if there are two; only the first
  /// two are named.
  static func places(_ all: [Unserved], _ histories: Histories, _ facts: FindingFacts) -> String {
    let sites = Set(all.map { histories.all[$0.source].site }).sorted()
    return sites.prefix(2).map { facts.site($0).place }.joined(separator: " or ")
  }

  /// A finding about such subscriptions of one line.
  static func draft(
    _ kind: FindingKind,
    _ all: [Unserved],
    at site: UInt32,
    _ histories: Histories,
    summary: String,
    sentence: String,
    remedy: String,
    served: Int,
    ruledOut: [String]
  ) -> FindingDraft {
    let stages = all.map { histories.all[$0.stage] }
    return FindingDraft(
      kind: kind,
      site: site,
      summary: summary,
      sentence: sentence,
      remedy: remedy,
      evidence: Evidence(
        events: all.flatMap { [histories.all[$0.stage].end, histories.all[$0.source].end] }
          .filter { $0 != 0 }.sorted(),
        counters: ["without a value \(all.count)", "with values \(served)"]
      ),
      accusedStages: stages.map { AccusedRoot($0) },
      affected: stages.map(\.key),
      rank: Rank(live: UInt64(all.count)),
      restsOnRecords: true,
      ruledOut: ruledOut
    )
  }
}

extension Histories {
  /// The signal to which the operator of a stage was applied; nil if it is unknown.
  func source(of stage: History, _ facts: FindingFacts) -> TraceID? {
    // It is the first upstream of the operator's signal.
    facts.slot(stage.signal).flatMap { $0.kind == .signal ? $0.link : nil }
      ?? sources[stage.signal]
  }
}
