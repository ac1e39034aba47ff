import TraceModel
import TraceReading

/// What findings say of why nothing arrives at subscriptions.
final class Reasons {
  /// What is at SUSPECT or above, worst first.
  let findings: [Finding]
  /// What they look at.
  let context: FindingContext
  private(set) lazy var commands = Commands(context)

  /// - Complexity: As that of the findings.
  init(_ snapshot: TraceSnapshot, now: Duration) {
    context = FindingContext(FindingFacts(snapshot, now: now))
    var inspection = Inspection()
    inspection.instant.time = now
    findings = FindingEngine.findings(in: snapshot, inspection: inspection)
      .filter { $0.level >= .suspect }
  }

  private var facts: FindingFacts { context.facts }
  private var histories: Histories? { context.histories }

  // MARK: Of one subscription

  /// The findings that say why nothing, or less than there is, comes to one of some subscriptions, by their places.
  func places(affecting serials: Set<UInt64>) -> [Int] {
    findings.indices.filter { place in
      findings[place].affected.contains { serials.contains($0.serial) }
    }
  }

  /// The findings of some lines that say so of others, or say something else.
  func others(at sites: Set<UInt32>, besides places: [Int]) -> [Finding] {
    findings.indices.filter { !places.contains($0) && sites.contains(findings[$0].site) }
      .map { findings[$0] }
  }

  /// Those on whom it depends what comes to a subscription that lives: what is upstream, ended inner signals too, and of a command whose
  /// signals these are, what runs and what says whether it is enabled.
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

  /// The same of one that has ended; whatever below it has ended with it counts, too.
  func involved(ended serial: UInt64) -> Set<UInt64> {
    guard let histories, let place = histories.place(of: EntityKey(id: .none, serial: serial))
    else { return [serial] }
    var serials = Set(histories.tree(above: place).map { histories.all[$0].key.serial })
    serials.formUnion(histories.downwards(from: place).map { histories.all[$0].key.serial })
    return serials.union(executions(of: serials))
  }

  private func upstream(of serial: UInt64) -> Set<UInt64> {
    guard let histories, let place = histories.place(of: EntityKey(id: .none, serial: serial))
    else { return [serial] }
    return Set(histories.tree(above: place).map { histories.all[$0].key.serial })
  }

  /// The executions that some subscriptions have asked for.
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

  // MARK: Of a line

  /// The oldest subscription made at some lines that has ended, or suffered from what has, as a finding says; with how many there are like
  /// it.
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

  /// The one at some lines that has ended along with one that a finding names: the furthest below it, or else upstream.
  private func ended(_ place: Int, at sites: Set<UInt32>, _ histories: Histories) -> UInt64? {
    let one = histories.all[place]
    var starts = [place]
    if facts.site(one.site).traits.contains(.executes), one.signal != .none {
      // Whoever asked for the execution.
      starts = histories.all.indices.filter {
        $0 != place && histories.all[$0].signal == one.signal
      }
    }
    for start in starts {
      let way = histories.downwards(from: start)
      // Where what is below goes on, it is explained.
      let all = way.reversed() + histories.tree(above: start)
      let found = all.first { sites.contains(histories.all[$0].site) }
      if let found, !histories.all[found].isLive { return histories.all[found].key.serial }
    }
    return nil
  }
}

extension Histories {
  /// A subscription and those that its events go to, in this order.
  func downwards(from place: Int) -> [Int] {
    var way = [place]
    while let here = way.last, all[here].below >= 0, way.count < 512 { way.append(all[here].below) }
    return way
  }
}

extension Explanation {
  /// Says what findings make of it: the worst in the answer, with what to do, and the rest besides.
  mutating func tell(_ reasons: [Finding], others: [Finding]) {
    if let worst = reasons.first {
      answer +=
        " \(worst.label) is to blame (\(worst.level.label), \(worst.kind.title)): \(worst.sentence) "
        + worst.remedy
      if let cap = worst.cap { unknown.append(cap) }
    }
    known += reasons.dropFirst().map {
      "\($0.label) is to blame, too (\($0.level.label), \($0.kind.title)): \($0.sentence)"
    }
    known += others.map {
      "found \($0.affected.isEmpty ? "at" : "of others at") \($0.label) (\($0.level.label), \($0.kind.title)): \($0.sentence)"
    }
  }
}

extension Finding {
  /// The accused line, as explanations name lines.
  fileprivate var label: String { "\(name)@\(location)" }
}
