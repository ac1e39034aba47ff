import TraceModel
import TraceReading

/// Retries of a sequence of requests of which the first had succeeded when a later one failed.
///
/// Some sequences have to be begun anew if a later part fails, because what comes first is a
/// connection, a token, a transaction or a version that is out of date. Beginning anew then helps.
/// Therefore, the later part must have failed again in at least half of the cases in which earlier
/// work was done again. It must also be work of its own, which takes time and has completed at
/// another time.
struct RepeatedParts {
  /// The minimum number of attempts that did again what an earlier one had done.
  private static let minimumRepetitions = 3
  /// The minimum number of these attempts that failed at the same place again.
  private static let minimumInVain = 2
  /// The minimum number of seconds that a part must take to be work: a value that is at hand, such
  /// as a cached one, and the check of a value take less.
  private static let workTime = 0.02
  /// The maximum number of values of a part that gives an answer; one with more is a stream.
  private static let answerLimit: UInt64 = 3
  /// Attempts with at least this number of subscriptions are ignored.
  private static let limit = 512

  private let histories: Histories
  private let facts: FindingFacts

  /// An attempt that failed at its later part.
  private struct LateFailure {
    /// The operator that had begun the later part.
    var junction: Int
    /// The subscription to the later part.
    var part: Int
  }

  /// What the attempts of one line repeated, of which a later part failed at one operator.
  private struct Repetitions {
    var junction: UInt32
    var stages: [Int] = []
    var attempts = 0
    /// The attempts that failed, and after which the work was done again.
    var failed: [Int] = []
    /// The work that was done again.
    var again: [Int] = []
    /// The number of attempts that did so and failed at the same operator.
    var inVain = 0
  }

  init(_ histories: Histories, _ facts: FindingFacts) {
    self.histories = histories
    self.facts = facts
  }

  /// The findings about the subscriptions of operators that retry, at most one for each line.
  func found(in stages: [Int]) -> [FindingDraft] {
    guard facts.hasEvents else { return [] }
    let lines = Dictionary(grouping: stages, by: { histories.all[$0].site })
    return lines.sorted { $0.key < $1.key }.compactMap { site, stages in
      var found: [UInt32: Repetitions] = [:]
      for stage in stages { add(stage, to: &found) }
      let worst = found.values.filter { isInVain($0, stages) }
        .min { ($1.failed.count, $0.junction) < ($0.failed.count, $1.junction) }
      return worst.map { draft(site, $0) }
    }
  }

  private func isInVain(_ one: Repetitions, _ stages: [Int]) -> Bool {
    one.failed.count >= Self.minimumRepetitions && one.inVain >= Self.minimumInVain
      && one.inVain * 2 >= one.failed.count && isAnswered(at: one.junction, stages)
  }

  private func add(_ stage: Int, to found: inout [UInt32: Repetitions]) {
    let attempts = histories.inputs[stage]
    var counted: Set<UInt32> = []
    for (attempt, next) in zip(attempts, attempts.dropFirst()) {
      guard let failure = lateFailure(of: attempt) else { continue }
      let again = repeated(of: work(of: attempt, before: failure), by: work(of: next, before: nil))
      guard !again.isEmpty else { continue }
      let junction = histories.all[failure.junction].site
      var one = found[junction] ?? Repetitions(junction: junction)
      if counted.insert(junction).inserted {
        one.stages.append(stage)
        one.attempts += attempts.count
      }
      one.failed.append(attempt)
      one.again += again
      if let later = lateFailure(of: next), histories.all[later.junction].site == junction {
        one.inVain += 1
      }
      found[junction] = one
    }
  }

  // MARK: The parts of an attempt

  /// The operator and the later part that made an attempt fail; nil if the attempt did not fail, or
  /// if the part that failed is the first, has sent values, or was not work.
  private func lateFailure(of attempt: Int) -> LateFailure? {
    guard histories.all[attempt].hasFailed else { return nil }
    var here = attempt
    for _ in 0..<64 {
      guard let part = histories.inputs[here].last(where: { histories.all[$0].hasFailed })
      else { return nil }
      let traits = facts.site(histories.all[here].site).traits
      if traits.contains(.retries) { return nil }
      // The later part of `ifEmpty(switchTo:)` and its like takes the place of the first one.
      if traits.contains(.merging), traits.fate != .passes || traits.inputs == .partners,
        let first = histories.inputs[here].first, first != part
      {
        let one = histories.all[part]
        guard !histories.all[first].hasFailed, one.events == 0, let end = one.endedAt,
          facts.seconds(from: one.createdAt, to: end) >= Self.workTime,
          histories.tree(upstreamOf: part, limit: 64).contains(where: {
            facts.site(histories.all[$0].site).traits.contains(.source)
          })
        else { return nil }
        return LateFailure(junction: here, part: part)
      }
      here = part
    }
    return nil
  }

  /// The sources that have done their work in an attempt, by the lines downstream of each; empty if
  /// the attempt may get other values than the one before, from a signal that the program sends to.
  ///
  /// With a failure, only the sources that had answered before the part that failed began.
  private func work(of attempt: Int, before failure: LateFailure?) -> [[UInt32]: [Int]] {
    var tree = [attempt]
    var paths = [[histories.all[attempt].site]]
    var next = 0
    while next < tree.count {
      guard tree.count < Self.limit else { return [:] }
      let inputs = histories.inputs[tree[next]]
      for input in inputs where input != failure?.part {
        tree.append(input)
        paths.append(paths[next] + [input == inputs[0] ? 0 : 1, histories.all[input].site])
      }
      next += 1
    }
    let start = failure.map { histories.all[$0.part].createdAt } ?? .max
    var found: [[UInt32]: [Int]] = [:]
    for (place, path) in zip(tree, paths) {
      let one = histories.all[place]
      guard one.createdAt < start else { continue }
      let traits = facts.site(one.site).traits
      // In the attempt that comes after the failure, nothing distinguishes the later part.
      if failure != nil, !traits.isDisjoint(with: [.hot, .endless, .subject, .shares]) {
        return [:]
      }
      guard traits.contains(.source), one.reason == .completed, let end = one.endedAt else {
        continue
      }
      let answered = one.lastEvent > 0 ? one.lastEvent : end
      guard answered <= start, facts.seconds(from: one.createdAt, to: answered) >= Self.workTime
      else { continue }
      found[path, default: []].append(place)
    }
    return found
  }

  /// The work of an attempt that does again what the attempt before had done: that subscribes to
  /// the same signals again.
  ///
  /// Other signals of a line may be what was still to be done.
  private func repeated(
    of earlier: [[UInt32]: [Int]],
    by later: [[UInt32]: [Int]]
  ) -> [Int] {
    earlier.flatMap { path, done in
      let signals = Set(done.map { histories.all[$0].signal })
      return (later[path] ?? []).filter { signals.contains(histories.all[$0].signal) }
        .prefix(done.count)
    }.sorted()
  }

  /// Whether the later part has been answered, and never was a stream.
  private func isAnswered(at junction: UInt32, _ stages: [Int]) -> Bool {
    var isAnswered = false
    for attempt in stages.flatMap({ histories.inputs[$0] }) {
      for place in histories.tree(upstreamOf: attempt, limit: Self.limit)
      where histories.all[place].site == junction {
        for part in histories.inputs[place].dropFirst() {
          let one = histories.all[part]
          if one.events > Self.answerLimit { return false }
          if one.reason == .completed { isAnswered = true }
        }
      }
    }
    return isAnswered
  }

  // MARK: Wording

  private func draft(_ site: UInt32, _ one: Repetitions) -> FindingDraft {
    let row = facts.site(one.junction)
    let places = Set(one.again.map { facts.site(histories.all[$0].site).place }).sorted()
    let shown = places.prefix(3).joined(separator: ", ") + (places.count > 3 ? ", …" : "")
    return FindingDraft(
      kind: .repeatedWork,
      site: site,
      subject: one.stages.count == 1 ? histories.all[one.stages[0]].key : nil,
      summary: "\(one.again.count) pieces of work done again, after \(one.failed.count) failures",
      sentence:
        "\(one.failed.count) times, an attempt made here failed at \(row.place) after earlier "
        + "work of it had succeeded (\(shown)), and the next attempt did such work again, "
        + "\(one.again.count) pieces in all. \(one.inVain) of these next attempts failed at "
        + "\(row.place) all the same.",
      remedy: (row.traits.fate == .flattens
        ? "Put the retry into the closure of \(row.place), so that only what has failed is tried "
          + "again."
        : "Put the retry on the signal that failed, before that is given to \(row.place), so that "
          + "only it is tried again.")
        + " If the earlier work has to be done anew for each attempt, as a connection or a "
        + "transaction may have to be, nothing is wrong.",
      evidence: Evidence(
        events: (one.failed.map { histories.all[$0].failure }
          + one.again.map { histories.all[$0].creation }).filter { $0 != 0 }.sorted(),
        counters: [
          "work done again \(one.again.count)", "attempts \(one.attempts)",
          "failed again \(one.inVain)",
        ]
      ),
      accusedStages: one.stages.map { AccusedRoot(histories.all[$0]) },
      rank: Rank(live: UInt64(one.again.count)),
      restsOnRecords: true,
      ruledOut: [
        "a value at hand, such as a cached one: each piece of work took "
          + "\(Duration.seconds(Self.workTime).brief) or more every time",
        "the check of an answer: what failed did work of its own, and sent nothing",
        "a stream that broke off: what \(row.place) subscribes to has also completed, after "
          + "\(Self.answerLimit) values at most",
      ]
    )
  }
}
