import TraceModel
import TraceReading

/// The findings that explain why a subscription receives nothing.
final class Reasons {
  /// Findings at SUSPECT or above, worst first.
  let findings: [Finding]
  /// The context of the rules.
  let context: FindingContext
  private(set) lazy var commands = Commands(context)
  private(set) lazy var refusedExecutions = context.histories.flatMap {
    RefusedExecutions($0, context.facts)
  }

  /// - Complexity: That of computing the findings.
  init(_ snapshot: TraceSnapshot, now: Duration) {
    context = FindingContext(FindingFacts(snapshot, now: now))
    var inspection = Inspection()
    inspection.instant.time = now
    findings = FindingEngine.findings(in: snapshot, inspection: inspection)
      .filter { $0.level >= .suspect }
  }

  private var facts: FindingFacts { context.facts }
  private var histories: Histories? { context.histories }

  // MARK: One subscription

  /// The indices of the findings that explain why any of the given subscriptions receives nothing
  /// or too few values.
  func places(affecting serials: Set<UInt64>) -> [Int] {
    findings.indices.filter { place in
      findings[place].affected.contains { serials.contains($0.serial) }
    }
  }

  /// The findings at the given lines, except for those at the given indices.
  func others(at sites: Set<UInt32>, besides places: [Int]) -> [Finding] {
    findings.indices.filter { !places.contains($0) && sites.contains(findings[$0].site) }
      .map { findings[$0] }
  }

  /// The serials of the subscriptions on which the events of a live subscription depend: everything
  /// upstream, including ended inner signals.
  ///
  /// `path` leads upstream from that subscription. If it leads to a signal of a command, the running
  /// executions and the enabling condition of the command are included.
  func involved(_ path: [TraceSlot]) -> Set<UInt64> {
    var serials = Set(path.map(\.serial))
    if let start = path.first { serials.formUnion(upstream(of: start.serial)) }
    guard let command = commands.command(of: path) else { return serials }
    serials.formUnion(command.running.map(\.serial))
    if let condition = command.condition, condition.eventCount > 0 {
      serials.formUnion(upstream(of: condition.serial))
    }
    return serials
  }

  /// The serials of an ended subscription, of the subscriptions upstream and downstream of it, and
  /// of the executions that these requested.
  func involved(ended serial: UInt64) -> Set<UInt64> {
    guard let histories, let place = histories.place(of: EntityKey(id: .none, serial: serial))
    else { return [serial] }
    var serials = Set(histories.tree(upstreamOf: place).map { histories.all[$0].key.serial })
    serials.formUnion(histories.downstreamPath(from: place).map { histories.all[$0].key.serial })
    return serials.union(executions(of: serials))
  }

  /// Whether a subscription has completed, not because of a failure, and no finding affects it,
  /// anything upstream of it, or an execution that these requested.
  func hasEndedNormally(_ serial: UInt64) -> Bool {
    guard let histories, let place = histories.place(of: EntityKey(id: .none, serial: serial))
    else { return false }
    let one = histories.all[place]
    guard one.reason == .completed else { return false }
    // A failure that was turned into a completion has ended what is downstream, too.
    let isFollowed = one.downstream < 0 || !histories.all[one.downstream].isLive
    if isFollowed,
      histories.tree(upstreamOf: place).contains(where: { histories.all[$0].hasFailed })
    {
      return false
    }
    let serials = upstream(of: serial)
    return places(affecting: serials.union(executions(of: serials))).isEmpty
  }

  private func upstream(of serial: UInt64) -> Set<UInt64> {
    guard let histories, let place = histories.place(of: EntityKey(id: .none, serial: serial))
    else { return [serial] }
    return Set(histories.tree(upstreamOf: place).map { histories.all[$0].key.serial })
  }

  /// The executions that the given subscriptions have requested.
  private func executions(of serials: Set<UInt64>) -> Set<UInt64> {
    guard let histories else { return [] }
    let executions = histories.all.filter { facts.site($0.site).traits.contains(.executes) }
    guard !executions.isEmpty else { return [] }
    let signals = Set(histories.all.lazy.filter { serials.contains($0.key.serial) }.map(\.signal))
    return Set(
      executions.lazy.filter { $0.signal != .none && signals.contains($0.signal) }
        .map(\.key.serial)
    )
  }

  // MARK: A line of code

  /// The oldest ended subscription at the given lines that a finding names as affected, or that
  /// ended along with an affected one; with the index of the finding and the number of such
  /// subscriptions.
  func ended(at sites: Set<UInt32>) -> (serial: UInt64, finding: Int, count: Int)? {
    guard let histories else { return nil }
    for (place, finding) in findings.enumerated() {
      let serials = Set(
        finding.affected.compactMap { key in
          histories.place(of: key).flatMap { ended($0, at: sites, histories) }
        }
      )
      if let oldest = serials.min() { return (oldest, place, serials.count) }
    }
    return nil
  }

  /// The subscription at the given lines that ended along with a subscription that a finding names:
  /// the subscription furthest downstream, or else one upstream.
  private func ended(_ place: Int, at sites: Set<UInt32>, _ histories: Histories) -> UInt64? {
    let one = histories.all[place]
    var starts = [place]
    if facts.site(one.site).traits.contains(.executes), one.signal != .none {
      // The subscriptions that requested the execution.
      starts = histories.all.indices.filter {
        $0 != place && histories.all[$0].signal == one.signal
      }
    }
    for start in starts {
      let path = histories.downstreamPath(from: start)
      // A live subscription is not returned, because the caller explains live subscriptions itself.
      let all = path.reversed() + histories.tree(upstreamOf: start)
      let found = all.first { sites.contains(histories.all[$0].site) }
      if let found, !histories.all[found].isLive { return histories.all[found].key.serial }
    }
    return nil
  }
}

extension Histories {
  /// A subscription followed by everything downstream of it, in order.
  func downstreamPath(from place: Int) -> [Int] {
    var path = [place]
    while let here = path.last, all[here].downstream >= 0, path.count < 512 {
      path.append(all[here].downstream)
    }
    return path
  }
}

extension Explanation {
  /// Adds the worst of the findings and its remedy to the answer, and the rest to the known facts.
  ///
  /// If they only affect what is downstream of the subject, they are not to blame for its end.
  mutating func addFindings(_ reasons: [Finding], others: [Finding], isDownstream: Bool = false) {
    if let worst = reasons.first {
      answer +=
        (isDownstream
          ? " Found for what is downstream: \(worst.label)" : " \(worst.label) is to blame")
        + " (\(worst.level.label), \(worst.kind.title)): \(worst.sentence) \(worst.remedy)"
      if let cap = worst.cap { unknown.append(cap) }
    }
    known += reasons.dropFirst().map {
      (isDownstream ? "found for what is downstream: \($0.label)" : "\($0.label) is to blame, too")
        + " (\($0.level.label), \($0.kind.title)): \($0.sentence)"
    }
    known += others.map {
      "found \($0.affected.isEmpty ? "at" : "for other subscriptions at") \($0.label) "
        + "(\($0.level.label), \($0.kind.title)): \($0.sentence)"
    }
  }
}

extension Finding {
  /// The accused line in the form that explanations use, such as `map@Pane.swift:94`.
  fileprivate var label: String { "\(name)@\(location)" }
}
