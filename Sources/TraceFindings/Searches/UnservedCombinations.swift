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

  /// A line of such an operator, and the line directly downstream: a line in a helper function
  /// serves several callers, which may expect different things.
  struct Place: Hashable {
    var site: UInt32
    var downstream: UInt32?
  }

  /// The number of subscriptions that have sent a value.
  private(set) var served: [Place: Int] = [:]
  /// The subscriptions of which one input completed by itself without a value.
  private(set) var emptied: [Place: [Unserved]] = [:]
  /// The subscriptions that ended before one input had sent a value.
  private(set) var late: [Place: [Unserved]] = [:]
  private let histories: Histories
  private let facts: FindingFacts

  /// Searches the histories.
  ///
  /// - Complexity: O(*n*) in the number of histories.
  init(_ histories: Histories, _ facts: FindingFacts) {
    (self.histories, self.facts) = (histories, facts)
    let lines = facts.sites.map { $0.traits.contains(.waitsForAll) && $0.ended(.completed) > 1 }
    guard lines.contains(true) else { return }
    // The most inputs of any subscription that has sent a value, and the lines at which any
    // subscription has inputs.
    var mostInputs: [Place: Int] = [:]
    var linesWithInputs: Set<UInt32> = []
    var candidates: [(Place, Int)] = []
    for (index, one) in histories.all.enumerated() {
      if !histories.inputs[index].isEmpty { linesWithInputs.insert(one.site) }
      guard Int(one.site) < lines.count, lines[Int(one.site)] else { continue }
      let place = Place(
        site: one.site,
        downstream: one.downstream >= 0 ? histories.all[one.downstream].site : nil
      )
      if one.events > 0 {
        served[place, default: 0] += 1
        mostInputs[place] = max(mostInputs[place] ?? 0, histories.inputs[index].count)
      } else if one.creation != 0, one.reason == .completed {
        candidates.append((place, index))
      }
    }
    for (place, index) in candidates where NothingPasses.isValueMissing(index, histories, facts) {
      note(index, place, mostInputs[place] ?? 0, linesWithInputs)
    }
  }

  private mutating func note(
    _ index: Int,
    _ place: Place,
    _ mostInputs: Int,
    _ linesWithInputs: Set<UInt32>
  ) {
    let one = histories.all[index]
    let inputs = histories.inputs[index]
    let dropped = inputs.reduce(UInt64(0)) { $0.saturatingAdding(histories.all[$1].events) }
    let cut = inputs.first {
      histories.all[$0].events == 0 && histories.all[$0].reason == .cancelled
    }
    switch facts.site(one.site).traits.inputs {
    case .partners:
      // After an empty input, further ones may not be subscribed to.
      guard dropped > 0 || cut != nil || inputs.count < mostInputs else { return }
      for input in inputs {
        guard let source = emptySource(of: input, linesWithInputs) else { continue }
        emptied[place, default: []].append(Unserved(stage: index, source: source, dropped: dropped))
        return
      }
    case .sampled:
      guard dropped > 0, let cut, let source = histories.source(of: one, facts),
        histories.all[cut].signal != source, isCold(cut)
      else { return }
      late[place, default: []].append(Unserved(stage: index, source: cut, dropped: dropped))
    default: return
    }
  }

  /// Whether neither the program nor another subscriber decides what an input sends, as far as its
  /// operators tell.
  private func isCold(_ input: Int) -> Bool {
    let tree = histories.tree(upstreamOf: input, limit: Self.largestTree)
    return tree.count < Self.largestTree
      && tree.allSatisfy {
        facts.site(histories.all[$0].site).traits.isDisjoint(with: [
          .hot, .subject, .source, .shares, .replays, .executes,
        ])
      }
  }

  private static var largestTree: Int { 64 }

  /// The source of an input that completed by itself without a value; nil if it did not, or if the
  /// program may have decided when it ended or what it sends.
  private func emptySource(of input: Int, _ linesWithInputs: Set<UInt32>) -> Int? {
    // An operator such as `take(while:)` that ends its input cancels it. An inner signal of
    // `window` or `groupBy` has the line of the operator, and nothing upstream.
    guard histories.all[input].events == 0, isCold(input),
      histories.tree(upstreamOf: input, limit: Self.largestTree).allSatisfy({
        let one = histories.all[$0]
        return one.creation != 0 && one.reason == .completed
          && !(histories.inputs[$0].isEmpty && linesWithInputs.contains(one.site))
      })
    else { return nil }
    var here = input
    while true {
      let traits = facts.site(histories.all[here].site).traits
      // An empty combination of signals is reported itself.
      if traits.contains(.waitsForAll) { return nil }
      let inputs = histories.inputs[here]
      guard inputs.count == 1, histories.all[inputs[0]].events == 0 else {
        // Which values an operator such as `filter` is meant to drop is unknown.
        return inputs.isEmpty || traits.fate != .drops ? here : nil
      }
      here = inputs[0]
    }
  }

  // MARK: Findings

  /// The lines of the sources that sent nothing, the most frequent first; only two are named.
  func places(_ all: [Unserved]) -> String {
    let counts = Dictionary(grouping: all) { histories.all[$0.source].site }.mapValues(\.count)
    let sites = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    let named = sites.prefix(2).map { facts.site($0).place }.joined(separator: " or ")
    return sites.count > 2 ? "\(named) or \(Words.count(sites.count - 2, "other line"))" : named
  }

  /// A finding about such subscriptions of one line.
  func draft(
    _ kind: FindingKind,
    _ all: [Unserved],
    at site: UInt32,
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

  /// Whether the operator downstream of a subscription only reads its latest value when the
  /// operator's source sends one, or is triggered by it; false if the operator's source is unknown.
  func isOnlySampledOrTriggers(_ place: Int, _ facts: FindingFacts) -> Bool {
    let downstream = all[place].downstream
    guard downstream >= 0 else { return false }
    let stage = all[downstream]
    guard [.sampled, .triggers].contains(facts.site(stage.site).traits.inputs),
      let source = source(of: stage, facts), all[place].signal != source
    else { return false }
    return inputs[downstream].contains { all[$0].signal == source }
  }
}
