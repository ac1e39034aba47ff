public import TraceModel
import TraceReading

extension FindingKind {
  /// One of several pieces of work started at one line failed, which cancelled the others.
  public static let cancelledSiblings = FindingKind(
    "failure-ends-others",
    "one failure ends the work of others",
    needsEvents: true,
    needsAll: true,
    evidence: [.subscribed, .failed, .ended],
    doubt: "Only the author of the code knows whether one result is of use without the others."
  )
}

/// Operators that wait for several pieces of work started at one line, such as one for each element
/// of a list, and in which the failure of one piece has repeatedly ended the others.
///
/// Operators whose inputs come from several lines are not examined, because one input may be
/// useless without the others.
enum CancelledSiblings: FindingRule {
  static let kinds: [FindingKind] = [.cancelledSiblings]

  /// The minimum number of failures that ended other pieces of work.
  private static let minimumFailures = 2
  /// The minimum number of pieces that each of these failures ended.
  private static let minimumOthers = 2
  /// The maximum number of seconds within which the others end.
  private static let atOnce = 0.001

  private struct Loss {
    var stage: Int
    var failed: Int
    var others: [Int]
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.hasEvents,
      facts.sites.contains(where: { $0.traits.contains(.waitsForAll) && $0.ended(.failed) > 0 }),
      let histories = context.histories
    else { return [] }
    var found: [UInt32: [Loss]] = [:]
    for (place, one) in histories.all.enumerated() where one.creation != 0 && one.hasFailed {
      guard facts.site(one.site).traits.contains(.waitsForAll),
        let loss = loss(place, histories, facts)
      else { continue }
      found[one.site, default: []].append(loss)
    }
    return found.sorted { $0.key < $1.key }
      .filter { $0.value.count >= minimumFailures && !context.isAccused($0.key) }
      .map { draft($0, $1, histories, facts) }
  }

  private static func loss(_ place: Int, _ histories: Histories, _ facts: FindingFacts) -> Loss? {
    let inputs = histories.inputs[place]
    guard let failed = inputs.first(where: { histories.all[$0].hasFailed }),
      let end = histories.all[failed].endedAt
    else { return nil }
    let others = inputs.filter { input in
      let one = histories.all[input]
      guard one.reason == .cancelled, one.events == 0, one.site == histories.all[failed].site,
        let ended = one.endedAt
      else { return false }
      return facts.seconds(from: min(end, ended), to: max(end, ended)) < atOnce
        && histories.startsFiniteWork(input, facts)
    }
    return others.count >= minimumOthers ? Loss(stage: place, failed: failed, others: others) : nil
  }

  private static func draft(
    _ site: UInt32,
    _ losses: [Loss],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let others = losses.reduce(0) { $0 + $1.others.count }
    let name = facts.site(histories.all[losses[0].failed].site).place
    let types = Set(losses.map { facts.failureName(histories.all[$0.failed].failureType) })
      .filter { !$0.isEmpty }.sorted()
    return FindingDraft(
      kind: .cancelledSiblings,
      site: site,
      summary: "\(losses.count) failures ended \(others) others",
      sentence:
        "\(losses.count) times, one of several subscriptions to \(name) failed "
        + "here\(types.isEmpty ? "" : ", with \(types.joined(separator: ", "))"), and the others "
        + "were cancelled because of it: \(others) that were under way came to nothing.",
      remedy:
        "Handle the failure of each before they come together (catch, replaceFailure, materialize "
        + "in front of \(row.place)); do nothing if all are to be done or none.",
      evidence: Evidence(
        events: losses.flatMap { loss in
          [histories.all[loss.failed].failure] + loss.others.map { histories.all[$0].end }
        }.filter { $0 != 0 }.sorted(),
        counters: ["failures \(losses.count)", "given up \(others)"]
      ),
      accusedStages: losses.map {
        let one = histories.all[$0.stage]
        return AccusedRoot(one)
      },
      rank: Rank(live: UInt64(others)),
      restsOnRecords: true
    )
  }
}
