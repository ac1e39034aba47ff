public import TraceModel
import TraceReading

extension FindingKind {
  /// One signal that does work has several subscribers at once, and does the work for each of them.
  public static let duplicatedWork = FindingKind(
    "duplicated-work",
    "work done several times",
    needsAll: true,
    evidence: [.subscribed],
    doubt: "Only the author of the code knows whether each subscriber is to have work of its own.",
    settledBy: [.callers]
  )
}

/// Signals that do their work for each subscriber, and have several subscribers at once.
///
/// A caller that subscribes again after the end, such as a retry or a poll, wants the work to be
/// done again. A shared signal does not do the work again for further subscribers.
enum DuplicatedWork: FindingRule {
  static let kinds: [FindingKind] = [.duplicatedWork]

  /// Two subscriptions within this number of seconds belong to one occasion, even if the first has
  /// ended when the second begins.
  private static let occasion = 0.02
  /// The maximum number of values of an answer; a signal with more values is a stream.
  private static let answerLimit: UInt64 = 3
  /// The minimum number of signals of one line that are to be shared, but have one subscriber each.
  private static let minimumUnsharedSignals = 4
  /// The minimum number of these signals that ran at once.
  private static let minimumConcurrentSignals = 2
  /// The minimum number of times that shared work was restarted for a late subscriber.
  private static let minimumRestarts = 3

  /// If a helper subscribes several times at once to the signals of at least this many lines, it is
  /// assumed to do so with every signal that it is given.
  private static let minimumLinesOfHelper = 3

  /// Subscriptions above this number are not counted, because more of them make no difference.
  private static let enough = 256

  private struct ConcurrentWork {
    /// The subscriptions of the source.
    var sources: [Int]
    /// The site of the signal furthest downstream through which all of them pass.
    var fork: UInt32
    var roots: Set<UInt32>
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let mayWork = facts.sites.contains {
      !$0.traits.isDisjoint(with: [.source, .timer, .merging]) && $0.subscribed > 1
    }
    guard mayWork, let histories = context.histories else { return [] }
    return concurrent(histories, context) + repeatedAfterEnd(histories, facts)
      + unshared(histories, context)
      + RepeatedTriggers.found(context) + DuplicatedTimers.found(context)
  }

  // MARK: Requested anew after the end

  /// Shared answers that had ended, and were therefore requested anew for later subscribers.
  private static func repeatedAfterEnd(_ histories: Histories, _ facts: FindingFacts)
    -> [FindingDraft]
  {
    guard facts.sites.contains(where: { $0.traits.contains(.refCounted) && $0.subscribed > 2 })
    else { return [] }
    var runs: [TraceID: [(run: Int, visitor: Int)]] = [:]
    var latest: [TraceID: Int] = [:]
    for (place, one) in histories.all.enumerated() where one.creation != 0 {
      let traits = facts.site(one.site).traits
      guard traits.contains(.shares), traits.contains(.refCounted) else { continue }
      if one.downstream >= 0 {
        latest[one.signal] = place
      } else if let visitor = latest[one.signal] {
        runs[one.signal, default: []].append((place, visitor))
      }
    }
    var again: [UInt32: [Int]] = [:]
    var signals: [UInt32: Set<TraceID>] = [:]
    for (signal, runs) in runs {
      var known: Set<UInt64> = []
      var last: History?
      for (run, visitor) in runs {
        let one = histories.all[run]
        defer { last = one }
        let root = histories.all[histories.root(of: visitor)]
        let isNew = known.insert(Packing.pair(high: root.site, low: root.chain)).inserted
        guard isNew, let last, last.reason == .completed,
          1...answerLimit ~= last.events || !facts.hasEvents,
          !isRepeated(visitor, histories, facts), histories.startsFiniteWork(run, facts)
        else { continue }
        again[one.site, default: []].append(run)
        signals[one.site, default: []].insert(signal)
      }
    }
    return again.sorted { $0.key < $1.key }.compactMap { site, runs in
      guard runs.count >= minimumRestarts else { return nil }
      let row = facts.site(site)
      let all = runs.map { histories.all[$0] }.sorted { $0.creation < $1.creation }
      let shared = Words.count(signals[site]?.count ?? 1, "shared signal")
      return FindingDraft(
        kind: .duplicatedWork,
        site: site,
        summary: "begun anew \(Words.count(all.count, "time")), after the shared work had ended",
        sentence:
          "The work of \(shared) made here had ended and was begun anew \(Words.count(all.count, "time")), each time for a subscriber that had not asked for it before.",
        remedy:
          "Keep the answer for later subscribers: share(replay: 1, scope: .forever) in place of \(row.place); do nothing if each is to have a new one.",
        evidence: Evidence(
          events: all.map(\.creation),
          counters: ["anew \(all.count)", "subscribed \(row.subscribed)"]
        ),
        rank: Rank(live: UInt64(all.count)),
        restsOnRecords: true,
        ruledOut: ["a retry or a poll: no operator below subscribes to it again and again"]
          // The number of values is known only if events are recorded.
          + (facts.hasEvents
            ? ["a stream: the one before had completed after \(answerLimit) values at most"] : [])
      )
    }
  }

  // MARK: Shared to no effect

  /// Lines that share to no effect: each signal made there has one subscriber, and a source of its
  /// own that never ends.
  private static func unshared(_ histories: Histories, _ context: FindingContext) -> [FindingDraft]
  {
    let facts = context.facts
    var visitors: [TraceID: [Int]] = [:]
    var runs: [TraceID: [Int]] = [:]
    for (place, one) in histories.all.enumerated() where one.creation != 0 {
      guard facts.site(one.site).traits.contains(.shares) else { continue }
      if one.downstream >= 0 {
        visitors[one.signal, default: []].append(place)
      } else {
        runs[one.signal, default: []].append(place)
      }
    }
    let lines = Dictionary(grouping: runs.keys, by: { histories.all[runs[$0]?[0] ?? 0].site })
    return lines.sorted { $0.key < $1.key }.compactMap { site, signals in
      let all = signals.flatMap { runs[$0] ?? [] }.sorted()
      guard signals.count >= minimumUnsharedSignals, !context.isAccused(site),
        signals.allSatisfy({ runs[$0]?.count == 1 && visitors[$0]?.count == 1 }),
        let source = all.lazy.compactMap({ endless(upstreamOf: $0, histories, facts) }).first,
        all.allSatisfy({ endless(upstreamOf: $0, histories, facts) == source })
      else { return nil }
      let most = most(atOnce: all.map { histories.all[$0] })
      guard most >= minimumConcurrentSignals else { return nil }
      let row = facts.site(site)
      return FindingDraft(
        kind: .duplicatedWork,
        site: site,
        summary: "\(all.count) signals, each shared with nobody",
        sentence:
          "\(all.count) signals were made here, each with one subscriber and a source of its own, \(facts.site(source).place): nothing was shared, and \(most) ran at once.",
        remedy:
          "Make the signal of \(row.place) once and keep it, so that all are served by one subscription; do nothing if each is for something else.",
        evidence: Evidence(
          events: all.map { histories.all[$0].creation }.sorted(),
          counters: ["signals \(all.count)", "at once \(most)"]
        ),
        rank: Rank(live: UInt64(most)),
        restsOnRecords: true
      )
    }
  }

  /// The maximum number of the given subscriptions, which are in the order of creation, that were
  /// live at one instant.
  private static func most(atOnce all: [History]) -> Int {
    let ends = all.compactMap(\.endedAt).sorted()
    var (most, ended) = (0, 0)
    for (begun, one) in all.enumerated() {
      while ended < ends.count, ends[ended] <= one.createdAt { ended += 1 }
      most = max(most, begun + 1 - ended)
    }
    return most
  }

  /// The site of the only source of a shared subscription, if the source is driven by a timer and
  /// never ends; otherwise nil.
  private static func endless(
    upstreamOf run: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> UInt32? {
    var here = run
    for _ in 0..<64 {
      let inputs = histories.inputs[here]
      guard inputs.count == 1 else {
        let traits = facts.site(histories.all[here].site).traits
        return inputs.isEmpty && traits.contains(.timer) && traits.contains(.endless)
          ? histories.all[here].site : nil
      }
      here = inputs[0]
    }
    return nil
  }

  /// Whether an operator downstream subscribes again and again, such as a retry.
  private static func isRepeated(
    _ visitor: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Bool {
    var here = visitor
    while histories.all[here].downstream >= 0 {
      let downstream = histories.all[here].downstream
      let traits = facts.site(histories.all[downstream].site).traits
      if traits.contains(.retries) || traits.contains(.merging),
        histories.inputs[downstream].first != here
      {
        return true
      }
      here = downstream
    }
    return false
  }

  // MARK: Several subscribers at once

  private static func concurrent(_ histories: Histories, _ context: FindingContext)
    -> [FindingDraft]
  {
    let facts = context.facts
    var bySignal: [TraceID: [Int]] = [:]
    for (place, one) in histories.all.enumerated() where one.creation != 0 && one.signal != .none {
      guard startsWork(place, histories, facts) else { continue }
      let root = histories.all[histories.root(of: place)]
      if facts.site(root.site).traits.contains(.root) {
        bySignal[one.signal, default: []].append(place)
      }
    }
    var found: [UInt32: ConcurrentWork] = [:]
    for signal in bySignal.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let places = bySignal[signal], places.count > 1,
        let group = concurrentWork(places, histories, facts)
      else { continue }
      if found[group.fork].map({ $0.sources.count < group.sources.count }) ?? true {
        found[group.fork] = group
      }
    }
    // A helper that subscribes several times to whatever signal it is given is reported once, for
    // all of these signals.
    let groups = Dictionary(grouping: found.keys) { found[$0]?.roots ?? [] }
    return groups.values.flatMap { sites -> [FindingDraft] in
      let sites = sites.sorted()
      let isHelper = sites.count >= minimumLinesOfHelper
      let first = sites.max {
        (found[$0]?.sources.count ?? 0, $1) < (found[$1]?.sources.count ?? 0, $0)
      }
      return sites.compactMap { site in
        guard !isHelper || site == first else { return nil }
        let others = isHelper ? sites.filter { $0 != site } : []
        return found[site].map { draft(site, $0, others: others, histories, context) }
      }
    }.sorted { $0.site < $1.site }
  }

  /// Whether a subscription does separate work for its subscriber: it is a source, or an operator
  /// that subscribes to a source for each value or makes one when it is subscribed to.
  private static func startsWork(_ place: Int, _ histories: Histories, _ facts: FindingFacts)
    -> Bool
  {
    let traits = facts.site(histories.all[place].site).traits
    if traits.contains(.source) { return true }
    let inners: ArraySlice<Int>
    if traits.contains(.merging), traits.fate == .flattens {
      inners = histories.inputs[place].dropFirst()
    } else if traits.fate == .unknown, traits.isDisjoint(with: .notMakingOne) {
      // The operator makes its source when it is subscribed to.
      inners = histories.inputs[place][...]
    } else {
      return false
    }
    return inners.prefix(4).contains { histories.startsFiniteWork($0, facts) }
  }

  /// The subscriptions of one source that run at once, each for a different subscriber.
  private static func concurrentWork(
    _ places: [Int],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> ConcurrentWork? {
    var best: [Int] = []
    var open: [Int] = []
    var (seen, joined) = (0, 0)
    for place in places {
      guard best.count < enough else { break }
      let createdAt = histories.all[place].createdAt
      open.removeAll { other in
        guard let end = histories.all[other].endedAt, end <= createdAt else { return false }
        // A line that subscribes again as soon as the work has ended wants it to be done again.
        return isOfOneLine(other, place, histories)
          || facts.seconds(from: histories.all[other].createdAt, to: createdAt) > occasion
      }
      // An operator that subscribes again and again is meant to repeat the work.
      let next = histories.all[place].downstream
      if next >= 0, open.contains(where: { histories.all[$0].downstream == next }) { continue }
      open.append(place)
      seen += 1
      if open.count > 1 { joined += 1 }
      if open.count > best.count { best = open }
    }
    guard best.count > 1 else { return nil }
    // A line that serves many subscribers may intend a stream for each, but an answer is the same
    // for all. Occasionally, a subscription begins by chance while the end of the previous one is
    // on its way, so at least half of the subscriptions must have begun while another ran.
    if best.allSatisfy({ isOfOneLine($0, best[0], histories) }) {
      guard joined * 2 >= seen else { return nil }
      let answers = best.allSatisfy {
        facts.site(histories.all[$0].site).traits.contains(.merging)
          || histories.all[$0].reason == .completed && histories.all[$0].events <= answerLimit
      }
      guard answers else { return nil }
    }
    // Callers that request the work through one signal could share that signal.
    var steps = best
    var fork = histories.all[best[0]].site
    while true {
      let next = steps.map { histories.all[$0].downstream }
      guard !next.contains(-1) else { break }
      let signal = histories.all[next[0]].signal
      guard signal != .none, next.allSatisfy({ histories.all[$0].signal == signal }),
        Set(next).count == next.count,
        !facts.site(histories.all[next[0]].site).traits.contains(.root)
      else { break }
      fork = histories.all[next[0]].site
      steps = next
    }
    let roots = Set(best.map { histories.all[histories.root(of: $0)].site })
    return ConcurrentWork(sources: best, fork: fork, roots: roots)
  }

  private static func isOfOneLine(_ one: Int, _ other: Int, _ histories: Histories) -> Bool {
    histories.all[histories.root(of: one)].site == histories.all[histories.root(of: other)].site
  }

  private static func draft(
    _ site: UInt32,
    _ group: ConcurrentWork,
    others: [UInt32],
    _ histories: Histories,
    _ context: FindingContext
  ) -> FindingDraft {
    let facts = context.facts
    let row = facts.site(site)
    let source = facts.site(histories.all[group.sources[0]].site)
    let count = group.sources.count
    let roots = group.roots.map { facts.site($0).place }.sorted()
    let howMany = count < enough ? "\(count)" : "\(count) or more"
    let applied = group.sources.dropFirst().compactMap {
      histories.stage(downstreamOf: $0, at: site)
    }
    let of = source.place == row.place ? "" : " of \(source.place)"
    let places = others.prefix(3).map { facts.site($0).place }.joined(separator: ", ")
    let same =
      others.isEmpty
      ? ""
      : " These lines did so to signals of \(others.count) other lines, too: \(places)\(others.count > 3 ? ", …" : "")."
    return FindingDraft(
      kind: .duplicatedWork,
      site: site,
      summary: "\(howMany) times at once, not shared",
      sentence:
        "\(howMany) subscriptions were made at once to one signal, and each began the work\(of) anew: for "
        + "\(roots.prefix(4).joined(separator: ", "))."
        + same,
      remedy:
        "Put share() or replay behind \(row.place), so that all of them are served by one subscription; do nothing if each is to have "
        + "work of its own.",
      evidence: Evidence(
        events: group.sources.map { histories.all[$0].creation }.sorted(),
        counters: ["at once \(count)", "subscribed \(row.subscribed)"]
      ),
      // The first subscriber has done nothing wrong.
      accusedRoots: group.sources.dropFirst().map { place in
        let root = histories.all[histories.root(of: place)]
        return AccusedRoot(root)
      },
      accusedStages: applied.map { AccusedRoot($0) },
      rank: Rank(live: UInt64(count)),
      restsOnRecords: true,
      ruledOut: [
        "a retry or a poll: each began while the others ran, or within \(Duration.seconds(occasion).brief) of them for another line",
        "what one operator subscribes to again: each is for another one",
      ]
    )
  }
}

extension SiteTraits {
  /// The traits of operators that do not make a source of their own for each subscriber.
  fileprivate static var notMakingOne: SiteTraits {
    [.root, .hot, .shares, .merging, .timer, .subject]
  }
}
