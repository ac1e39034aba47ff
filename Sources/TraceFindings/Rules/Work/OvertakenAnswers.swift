public import TraceModel
import TraceReading

extension FindingKind {
  /// The answer to an older request repeatedly arrives last.
  public static let overtakenAnswers = FindingKind(
    "answers-overtake",
    "an older answer comes last",
    needsEvents: true,
    needsAll: true,
    evidence: [.subscribed, .next],
    doubt: "Only the author of the code knows whether each answer counts by itself."
  )
}

/// Operators that run several inner signals at once, each with one answer, and for which the last
/// answer to arrive repeatedly belongs to an older request.
///
/// If the order were random, the answer to the last request would sometimes arrive last. The
/// observed order must therefore be unlikely to be chance, and even more unlikely if nothing shows
/// that a newer answer replaces an older one. A newer answer is taken to replace an older one if
/// the handler runs on the main queue or sets a property.
///
/// Chance need not be excluded if only the newest question matters: the questions are values of a
/// property, of which an operator keeps the latest (`debounce`), and each answer sets a property.
enum OvertakenAnswers: FindingRule {
  static let kinds: [FindingKind] = [.overtakenAnswers]

  /// The minimum number of times that an older answer arrived last.
  private static let minimumCount = 3
  /// The minimum number of such times if handlers make the requests.
  private static let minimumInHandlers = 2
  /// The maximum probability of chance, if a newer answer replaces an older one.
  private static let likely = 0.15
  /// The maximum probability of chance otherwise.
  private static let unlikely = 0.01
  /// The minimum number of seconds between two requests whose order is compared.
  private static let apart = 0.001
  /// The share of all inner signals that must have given exactly one answer.
  private static let share = 0.9
  /// An inner signal that ended at most this number of seconds before its operator was ended with
  /// it, before it could give an answer.
  private static let together = 0.005

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard let histories = context.histories else { return [] }
    let mayMerge = facts.sites.contains {
      $0.traits.contains(.merging) && $0.traits.fate == .flattens && $0.subscribed > 0
    }
    let merged =
      mayMerge ? histories.all.indices.compactMap { draft($0, histories, context) } : []
    let made = context.handlerSubscriptions.compactMap { draft($0, histories, context) }
    return (merged + made).worstOfEachLine
  }

  // MARK: Requests of handlers

  /// Requests that a handler makes for each value of a signal that keeps one value, where the
  /// answer to an older request has arrived last.
  private static func draft(
    _ made: HandlerSubscriptions,
    _ histories: Histories,
    _ context: FindingContext
  ) -> FindingDraft? {
    let facts = context.facts
    let all = made.members.map { histories.all[$0] }
    let answers = all.filter { $0.events == 1 && $0.firstEvent != 0 && $0.reason == .completed }
    guard made.isOfState, answers.count >= 2 * minimumCount,
      Double(answers.count) >= Double(all.count { !$0.isLive }) * share,
      made.members.contains(where: { replacesOlderValue($0, histories, context) })
    else { return nil }
    let bursts = bursts(answers, facts).filter { $0.count > 1 }
    let overtaken = overtaken(of: bursts)
    guard overtaken.count >= minimumInHandlers else { return nil }
    let source = facts.site(made.source(histories).site)
    return FindingDraft(
      kind: .overtakenAnswers,
      site: made.site,
      summary: "\(overtaken.count) times an older answer came last",
      sentence:
        "\(answers.count) subscriptions were made here, one for each value of \(source.place) in its handler, with one answer each; \(Words.count(bursts.count, "time")) several were "
        + "under way at once, and in \(overtaken.count) of these the last answer was to an older value than the newest.",
      remedy:
        "Let flatMapLatest make the signal from each value of \(source.place) and subscribe once, so that no answer to an older one is taken.",
      evidence: Evidence(
        events: overtaken.flatMap { $0.map(\.creation) }.filter { $0 != 0 }.sorted(),
        counters: ["overtaken \(overtaken.count)", "answers \(answers.count)"]
      ),
      accusedRoots: all.map { AccusedRoot($0) },
      rank: Rank(live: UInt64(overtaken.count)),
      restsOnRecords: true
    )
  }

  /// The bursts in which the answer to an older request arrived after the answer to the newest
  /// request.
  private static func overtaken(of bursts: [[History]]) -> [[History]] {
    bursts.filter { burst in
      guard let newest = burst.last else { return false }
      return burst.contains { $0.firstEvent > newest.firstEvent }
    }
  }

  // MARK: Inner signals

  private static func draft(
    _ place: Int,
    _ histories: Histories,
    _ context: FindingContext
  ) -> FindingDraft? {
    let facts = context.facts
    let stage = histories.all[place]
    let traits = facts.site(stage.site).traits
    guard traits.contains(.merging), traits.fate == .flattens, !traits.contains(.queuesInner),
      stage.creation != 0, let source = histories.inputs[place].first
    else { return nil }
    let inners = histories.inputs[place].dropFirst().map { histories.all[$0] }
    let answers = inners.filter { $0.events == 1 && $0.firstEvent != 0 && $0.reason == .completed }
    guard answers.count >= 2 * minimumCount,
      Double(answers.count) >= Double(inners.count { hasEnded($0, before: stage, facts) }) * share,
      // The requests must be made one by one, not for the elements of a list.
      histories.tree(upstreamOf: source, limit: 64).contains(where: {
        facts.site(histories.all[$0].site).traits.contains(.hot)
      })
    else { return nil }
    let bursts = bursts(answers, facts).filter { $0.count > 1 }
    let overtaken = overtaken(of: bursts)
    guard bursts.count >= minimumCount, overtaken.count >= minimumCount else { return nil }
    let chance = bursts.reduce(1.0) { $0 * Double($1.count - 1) / Double($1.count) }
    let isNoChance =
      overtaken.count == bursts.count
      && (chance <= unlikely
        || chance <= likely && replacesOlderValue(place, histories, context))
    let state = isNoChance ? nil : state(askedFrom: source, place, histories, context)
    guard isNoChance || state != nil else { return nil }
    let row = facts.site(stage.site)
    let count = overtaken.count
    let under =
      "\(bursts.count) times several inner signals were under way here at once, \(answers.count) in all with one answer each, and "
    let newest =
      state.map {
        "in \(count) of these the last answer was to an older question than the newest. The "
          + "questions are values of \($0.source.place) that \($0.latest.place) let through, "
          + "and the handler of the answers sets a property."
      } ?? "each time the last answer was to an older question than the newest."
    return FindingDraft(
      kind: .overtakenAnswers,
      // The handler may reject an answer to an older question, or keep one for each question.
      level: isNoChance ? .suspect : .info,
      site: stage.site,
      subject: stage.key,
      summary: "\(count) times an older answer came last",
      sentence: under + newest,
      remedy:
        "In place of \(row.place), use flatMapLatest, which takes no answer to a question that is "
        + "not the newest; do nothing if each answer counts by itself.",
      evidence: Evidence(
        events: overtaken.flatMap { $0.map(\.creation) }.filter { $0 != 0 }.sorted(),
        counters: ["overtaken \(count)", "answers \(answers.count)"]
      ),
      accusedStages: [AccusedRoot(stage)],
      rank: Rank(live: UInt64(count)),
      restsOnRecords: true
    )
  }

  /// Whether an inner signal ended before the operator that runs it, and not together with it.
  private static func hasEnded(_ inner: History, before stage: History, _ facts: FindingFacts)
    -> Bool
  {
    guard let end = inner.endedAt else { return false }
    guard inner.reason != .completed, inner.reason != .failed else { return true }
    return facts.seconds(from: end, to: stage.endedAt ?? facts.last) > together
  }

  /// The property whose values are the questions, and the operator that keeps the latest of them;
  /// nil unless the handler of the answers sets a property, too, so that only the newest question
  /// matters.
  private static func state(
    askedFrom source: Int,
    _ place: Int,
    _ histories: Histories,
    _ context: FindingContext
  ) -> (source: TraceSite, latest: TraceSite)? {
    let facts = context.facts
    guard HandlerSubscriptions.isState(upstreamOf: source, histories, facts),
      let path = histories.upstreamPath(from: source).map({ $0.map { histories.all[$0].site } }),
      let property = path.last,
      let latest = path.first(where: { facts.site($0).traits.fate == .keepsLatest })
    else { return nil }
    // Values that are gathered downstream do not replace each other.
    var here = histories.all[place].downstream
    var root = here
    while here >= 0 {
      let traits = facts.site(histories.all[here].site).traits
      guard traits.fate != .folds, traits.isDisjoint(with: [.retains, .sendsAtEnd]) else {
        return nil
      }
      (root, here) = (here, histories.all[here].downstream)
    }
    guard root >= 0, let causes = context.causes else { return nil }
    let serial = histories.all[root].key.serial
    let isSet = causes.turns.contains {
      $0.root == serial && facts.site($0.site).traits.keepsOneValue
    }
    return isSet ? (facts.site(property), facts.site(latest)) : nil
  }

  /// Groups of requests that were running at once, each made a little later than the previous one.
  private static func bursts(_ answers: [History], _ facts: FindingFacts) -> [[History]] {
    var bursts: [[History]] = []
    var until: UInt64 = 0
    for one in answers.sorted(by: { $0.createdAt < $1.createdAt }) {
      if let last = bursts.last?.last, one.createdAt < until {
        // Requests made at the same time have no order.
        guard facts.seconds(from: last.createdAt, to: one.createdAt) >= apart else {
          bursts[bursts.count - 1] = []
          until = max(until, one.firstEvent)
          continue
        }
        bursts[bursts.count - 1].append(one)
      } else if bursts.last?.isEmpty == true, one.createdAt < until {
        until = max(until, one.firstEvent)
        continue
      } else {
        bursts.append([one])
      }
      until = max(until, one.firstEvent)
    }
    return bursts
  }

  /// Whether a newer value replaces an older one: the handler runs on the main queue, or sends to a
  /// signal that keeps one value.
  private static func replacesOlderValue(
    _ place: Int,
    _ histories: Histories,
    _ context: FindingContext
  ) -> Bool {
    let facts = context.facts
    let root = histories.all[histories.root(of: place)]
    guard let handled = context.causes?.handled[root.key.serial] else { return false }
    if handled.main > 0, handled.elsewhere.count == 0 { return true }
    return facts.slots.contains { slot in
      handled.sent.contains(slot.serial) && facts.site(slot.site).traits.keepsOneValue
    }
  }
}
