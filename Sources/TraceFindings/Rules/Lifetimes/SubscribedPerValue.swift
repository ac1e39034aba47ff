public import TraceModel
import TraceReading

extension FindingKind {
  /// A handler subscribes anew for each value, and its earlier subscriptions continue.
  public static let subscribedPerValue = FindingKind(
    "subscribed-per-value",
    "subscribed anew for each value",
    needsEvents: true,
    needsAll: true,
    evidence: [.subscribed],
    doubt:
      "Only the author of the code knows whether a value takes the place of the one before or is "
      + "for something that stays."
  )
}

/// Subscriptions that the handler of another subscription makes for each of its values, and that do
/// not end.
///
/// These subscriptions should end, because a newer value replaces the older one, or because all of
/// them subscribe to the same signal.
///
/// A handler that subscribes for each of several things that come and stay, such as connections,
/// also makes a subscription for each value. So nothing is reported if the values are events rather
/// than states, and each leads to a signal of its own.
enum SubscribedPerValue: FindingRule {
  static let kinds: [FindingKind] = [.subscribedPerValue]

  private static let minimumCount = 4

  static func check(_ context: FindingContext) -> [FindingDraft] {
    context.handlerSubscriptions.compactMap { draft($0, context) }.worstOfEachLine
  }

  private static func draft(
    _ made: HandlerSubscriptions,
    _ context: FindingContext
  ) -> FindingDraft? {
    let facts = context.facts
    guard made.members.count >= minimumCount, let histories = context.histories,
      let first = made.values.first, let last = made.values.last,
      // One subscription for each value, up to the latest.
      last - first == made.members.count - 1, Set(made.values).count == made.values.count,
      made.handled - last <= 2
    else { return nil }
    let all = made.members.map { histories.all[$0] }
    let slots = all.compactMap { one in
      facts.slot(one.key.id).flatMap { $0.serial == one.key.serial ? $0 : nil }
    }
    guard slots.count == all.count, slots.allSatisfy(\.isLiveSubscription),
      Set(slots.map(\.owner)).count == 1,
      slots.allSatisfy({ context.walk.endlessSource(upstreamOf: $0) != nil }),
      made.isOfState || areOfOneSignal(made.members, histories, facts)
    else { return nil }
    let outdated = zip(all, all.dropFirst()).filter { $0.lastEvent > $1.createdAt }
    guard outdated.count * 2 >= all.count - 1 else { return nil }
    let maker = histories.all[made.maker]
    let source = facts.site(made.source(histories).site)
    let row = facts.site(made.site)
    let handler = facts.site(maker.site)
    let named = handler.place == row.place ? "another subscription of this line" : handler.place
    // The same handler may have made others elsewhere, and other handlers may run the same line.
    let which =
      UInt64(all.count) == row.subscribed
      ? "\(all.count) subscriptions were made here, one for each value of \(source.place) that came to the handler of \(named)"
      : "\(all.count) of the \(row.subscribed) subscriptions made here were made in one handler, that of \(named), one for each of \(all.count) values in a row that came to it from \(source.place)"
    return FindingDraft(
      kind: .subscribedPerValue,
      site: made.site,
      summary: "\(all.count) live, one for each value",
      sentence:
        "\(which), and none of them has ended: "
        + "\(outdated.count) of the \(all.count - 1) older ones went on to get values beside a newer one.",
      remedy:
        "Let flatMapLatest make the signal from each of these values and subscribe once, so that the newest takes the place of the one before, or keep "
        + "the subscription in a SerialDisposable; do nothing if each value is for something that "
        + "stays.",
      evidence: Evidence(
        events: all.map(\.creation),
        counters: ["one for each value \(all.count)", "older ones with values \(outdated.count)"]
      ),
      members: slots,
      accused: Array(slots.dropLast()),
      rank: Rank(live: UInt64(all.count), age: facts.age(all[0].createdAt)),
      upstreamChain: context.walk.chain(upstreamOf: made.site),
      restsOnRecords: true,
      explains: [made.site]
    )
  }

  /// Whether all of the subscriptions lead to one hot signal.
  private static func areOfOneSignal(
    _ places: [Int],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Bool {
    let sources = places.map { place in
      let leaf = histories.all[histories.tree(upstreamOf: place, limit: 64).last ?? place]
      return facts.site(leaf.site).traits.contains(.hot) ? leaf.signal : TraceID.none
    }
    return Set(sources).count == 1 && sources[0] != .none
  }
}
