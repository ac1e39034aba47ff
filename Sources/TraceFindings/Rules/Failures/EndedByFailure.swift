public import TraceModel
import TraceReading

extension FindingKind {
  /// A failure has ended a stream that would have continued, and no new subscription replaces the
  /// stream.
  public static let endedByFailure = FindingKind(
    "ended-by-failure",
    "stream ended by a failure",
    needsAll: true,
    evidence: [.failed, .ended, .turnBegan],
    doubt: "Only the author of the code knows whether the first failure is to end the stream."
  )
}

/// Streams that a failure ended permanently although their source never ends by itself, and that no
/// later subscription replaces; and retries that no failure can reach.
///
/// The failure may go unnoticed because an operator turned it into a completion; the stream has
/// ended nevertheless.
enum EndedByFailure: FindingRule {
  static let kinds: [FindingKind] = [.endedByFailure]

  /// The minimum number of seconds since the stream ended.
  private static let minimumSilence = 0.4
  /// If the source has sent at least this many values since the stream ended, only a new
  /// subscription to that signal counts as a replacement, and not a subscription to another signal
  /// made at the same line.
  private static let minimumUnreceivedValues = 2

  private struct Loss {
    var root: Int
    /// The stage where the failure first occurred.
    var origin: Int
    /// The stage that turned the failure into a completion; nil if the failure reached the end of
    /// the chain.
    var handler: Int?
    /// The stage that retried, and then gave up.
    var retry: Int?
    /// The first stage that the failure reached from one of several inputs: an inner signal, or a
    /// signal that the stage combines with others.
    var junction: Int?
    /// The source that would have continued.
    var source: Int
    var sentSince: [Histories.Turn]

    /// The stage whose line of code the finding accuses.
    var accused: Int { handler ?? retry ?? junction ?? origin }
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let failing = facts.sites.contains {
      $0.ended(.failed) > 0
    }
    guard failing, let histories = context.histories else { return [] }
    var roots: [UInt32: [Int]] = [:]
    for (place, one) in histories.all.enumerated() where one.downstream < 0 {
      if facts.site(one.site).traits.contains(.root) { roots[one.site, default: []].append(place) }
    }
    var found: [UInt32: [Loss]] = [:]
    for (_, all) in roots.sorted(by: { $0.key < $1.key }) {
      for root in all {
        let one = histories.all[root]
        guard one.creation != 0, one.reason == .failed || one.reason == .completed,
          let end = one.endedAt, facts.seconds(from: end, to: facts.last) >= minimumSilence,
          let loss = loss(root, end, histories, facts),
          !isReplaced(loss, at: end, by: all, histories)
        else { continue }
        let accused = histories.all[loss.accused].site
        found[accused, default: []].append(loss)
      }
    }
    let idle = replacedBeforeRetry(histories, facts)
    for one in idle { found[one.site] = nil }
    return idle
      + found.keys.sorted().compactMap { site in
        found[site].flatMap { losses in
          losses.max { $0.sentSince.count < $1.sentSince.count }.map {
            var one = draft(site, $0, losses.count, histories, context)
            one.affected = losses.map { histories.all[$0.root].key }
            return one
          }
        }
      }
  }

  /// Whether a later subscription of the same line has replaced the stream.
  ///
  /// The upstream of that subscription must contain the lines of the source and of the junction or,
  /// without a junction, of the origin. If the source has sent several values since, the upstream
  /// must contain the source's own signal, and not only one made at the same line: a new screen,
  /// for example, subscribes to a signal of its own, which does not replace the old one.
  private static func isReplaced(
    _ loss: Loss,
    at end: UInt64,
    by roots: [Int],
    _ histories: Histories
  ) -> Bool {
    let wanted = Set([loss.junction ?? loss.origin, loss.source].map { histories.all[$0].site })
    let signal =
      loss.sentSince.count >= minimumUnreceivedValues ? histories.all[loss.source].signal : nil
    return roots.reversed().prefix { histories.all[$0].createdAt >= end }.contains { root in
      let tree = histories.tree(upstreamOf: root).map { histories.all[$0] }
      return wanted.isSubset(of: tree.map(\.site))
        && (signal == nil || tree.contains { $0.signal == signal })
    }
  }

  private static func loss(
    _ root: Int,
    _ end: UInt64,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Loss? {
    let tree = histories.tree(upstreamOf: root)
    guard
      let origin = tree.last(where: { place in
        let one = histories.all[place]
        return one.hasFailed && (one.endedAt ?? 0) <= end
          && facts.seconds(from: one.endedAt ?? 0, to: end) < 0.05
          && !histories.inputs[place].contains {
            histories.all[$0].hasFailed
              && (histories.all[$0].endedAt ?? 0) + 1 >= (one.endedAt ?? 0)
          }
      })
    else { return nil }
    // The path downstream from the origin shows where the failure reached an operator with several
    // inputs, and which operator turned the failure into a completion.
    var path = [origin]
    while let here = path.last, histories.all[here].downstream >= 0, path.count < 512 {
      path.append(histories.all[here].downstream)
    }
    guard path.last == root else { return nil }
    let handler = path.first { !histories.all[$0].hasFailed && $0 != root }
    if handler == nil, !histories.all[root].hasFailed, histories.all[root].reason != .failed {
      return nil
    }
    let junction = zip(path, path.dropFirst()).first { _, downstream in
      let traits = facts.site(histories.all[downstream].site).traits
      return traits.contains(.merging) && (traits.fate == .flattens || traits.inputs == .partners)
    }?.1
    let retry = path.last { place in
      let traits = facts.site(histories.all[place].site).traits
      return traits.contains(.retries) && histories.all[place].hasFailed
        && histories.inputs[place].count > 1
    }
    // The failure must have ended a source that had more to send.
    let source = tree.first { place in
      let one = histories.all[place]
      let traits = facts.site(one.site).traits
      guard traits.contains(.endless), histories.inputs[place].isEmpty, one.endedAt != nil,
        one.reason != .completed, one.reason != .failed || place == origin
      else { return false }
      return facts.seconds(from: one.endedAt ?? 0, to: end) < 0.05
        && !isBounded(place, root, histories, facts)
    }
    guard let source else { return nil }
    let signal = histories.all[source].signal
    let since = (histories.turns[signal] ?? []).filter { $0.ticks > end }
    let isHot = facts.site(histories.all[source].site).traits.contains(.hot)
    // If a hot source has sent nothing since, no value was lost because of the failure.
    if isHot, since.isEmpty, facts.hasEvents || !hasLaterReceiver(signal, after: end, facts) {
      return nil
    }
    return Loss(
      root: root,
      origin: origin,
      handler: handler,
      retry: retry,
      junction: junction,
      source: source,
      sentSince: since
    )
  }

  /// Whether another subscriber has received a value of a signal after an instant, according to the
  /// counters of live subscriptions.
  private static func hasLaterReceiver(
    _ signal: TraceID,
    after ticks: UInt64,
    _ facts: FindingFacts
  ) -> Bool {
    facts.slots.contains {
      $0.isLiveSubscription && $0.signal == signal.rawValue && $0.lastEventAt > ticks
    }
  }

  /// Whether an operator downstream would have ended the source's stream anyway.
  ///
  /// An operator that samples a signal, or is triggered by one, ends with its own source, so the
  /// other signal says nothing about how long the stream would have gone on.
  private static func isBounded(
    _ place: Int,
    _ root: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Bool {
    var here = place
    while here >= 0, here != root {
      let traits = facts.site(histories.all[here].site).traits
      if traits.contains(.bounding), traits.inputs != .triggers { return true }
      if histories.isOnlySampledOrTriggers(here, facts) { return true }
      here = histories.all[here].downstream
    }
    return false
  }

  private static func draft(
    _ site: UInt32,
    _ loss: Loss,
    _ count: Int,
    _ histories: Histories,
    _ context: FindingContext
  ) -> FindingDraft {
    let facts = context.facts
    func name(_ place: Int) -> String { facts.site(histories.all[place].site).place }
    let (root, origin) = (histories.all[loss.root], histories.all[loss.origin])
    let stage = histories.all[loss.accused]
    let accused = AccusedRoot(stage)
    let time = Duration.seconds(facts.age(root.endedAt ?? facts.now)).brief
    let type = facts.failureName(origin.failureType)
    let what = type.isEmpty ? "A failure" : "The failure \(type)"
    let attempts =
      loss.retry.map {
        ", after \(Words.count(histories.inputs[$0].count, "attempt")) by \(name($0)), which gave "
          + "up,"
      } ?? ""
    let way =
      loss.handler.map { ", which \(name($0)) turned into an end," } ?? attempts
    let more =
      loss.sentSince.isEmpty
      ? ""
      : " \(Words.count(loss.sentSince.count, "value")) sent since by \(name(loss.source)) came too late for it."
    let remedy: String
    if let handler = loss.handler {
      remedy =
        "Handle the failure where it arises, so that only that attempt ends: move \(name(handler)) into the closure that makes the inner "
        + "signal, or put retry in its place."
    } else if let retry = loss.retry {
      remedy =
        "Let \(name(retry)) keep trying, with a growing delay, as long as the stream is wanted, or "
        + "tell the user that it is over and offer to start it again."
    } else if let junction = loss.junction {
      remedy =
        facts.site(histories.all[junction].site).traits.inputs == .partners
        ? "Handle the failure in front of \(name(junction)) (catch, replaceFailure), so that its "
          + "other inputs go on."
        : "Handle the failure inside the closure of \(name(junction)) (catch, replaceFailure), so that only that attempt ends."
    } else {
      remedy = "Put retry or catch behind \(name(loss.origin)), so that the stream goes on."
    }
    return FindingDraft(
      kind: .endedByFailure,
      site: site,
      subject: count == 1 ? root.key : nil,
      summary: "ended \(time) ago"
        + (loss.sentSince.isEmpty ? "" : ", \(loss.sentSince.count) sent since"),
      sentence:
        "\(what) from \(name(loss.origin))\(way) ended the subscription of \(name(loss.root)) \(time) ago\(facts.hasEvents ? ", after \(Words.count(root.events, "value"))" : ""), "
        + "and nothing has taken its place, though \(name(loss.source)) does not end.\(more)",
      remedy: remedy,
      evidence: Evidence(
        events: ([origin.failure, root.end] + loss.sentSince.prefix(4).map(\.number)).filter {
          $0 != 0
        }.sorted(),
        counters: [
          "subscriptions ended this way \(count)", "values sent since \(loss.sentSince.count)",
        ]
          + (loss.retry.map { ["attempts \(histories.inputs[$0].count)"] } ?? [])
      ),
      accusedStages: [accused],
      cap: histories.isWhole
        ? nil : "what happened before the records that are left is not counted.",
      rank: Rank(live: UInt64(loss.sentSince.count), age: facts.age(root.endedAt ?? facts.now)),
      restsOnRecords: true,
      ruledOut: [
        "one that was begun anew: \(name(loss.root)) has not subscribed to the same again since",
        "one that was to end in any case: \(name(loss.source)) never ends by itself, and no operator below limits it",
      ]
    )
  }
}
