import TraceModel
import TraceReading

/// The times of the records that findings name as their evidence.
struct EvidenceTimes {
  private var found: [UInt64: Evidence.Moment] = [:]

  /// Looks up the records that the given findings name.
  ///
  /// - Complexity: O(records of the kinds that the findings may name); nothing is read if no
  ///   finding names a record.
  init(of findings: [Finding], _ facts: FindingFacts) {
    var wanted: Set<UInt64> = []
    var kinds: RecordKinds = []
    for finding in findings where !finding.evidence.unread.isEmpty {
      wanted.formUnion(finding.evidence.unread)
      let named = finding.kind.evidence
      kinds.formUnion(named.isEmpty ? RecordKinds(RecordKind.allCases) : RecordKinds(named))
    }
    guard !wanted.isEmpty else { return }
    facts.records.forEach(of: kinds) { _, record in
      guard wanted.contains(record.number) else { return }
      let (values, marks) = Self.sign(record.event)
      found[record.number] = Evidence.Moment(
        number: record.number,
        time: facts.time(record.ticks),
        values: values,
        marks: marks
      )
    }
  }

  /// The moments of the records in the evidence, in chronological order; empty if any of these
  /// records was not found.
  func moments(of evidence: Evidence) -> [Evidence.Moment] {
    let moments = evidence.unread.compactMap { found[$0] }
    guard moments.count == evidence.eventCount else { return [] }
    return moments.sorted { ($0.time, $0.number) < ($1.time, $1.number) }
  }

  /// How a record is drawn in a marble diagram.
  private static func sign(_ event: TraceEvent?) -> (values: Int, marks: MarbleMarks) {
    switch event {
    case .failed, .failureText: (0, .failed)
    case .completed: (0, .completed)
    case .ended(let reason), .timerEnded(let reason):
      switch reason {
      case .failed: (0, .failed)
      case .completed: (0, .completed)
      default: (0, .disposed)
      }
    case .refused, .valueOverwritten: (0, .refused)
    case .subscribed, .signalCreated, .ownerCreated, .ownerBound, .ownerHeld, .hopBegan,
      .timerArmed:
      (0, .subscribed)
    case .disposeRequested, .disposableReleased, .subscriptionReleased, .signalReleased,
      .ownerEnded,
      .tearDown, .hopCancelled:
      (0, .disposed)
    case .hopEnded, .turnEnded: (0, .completed)
    case .depth, .hopScheduled: (0, .waiting)
    default: (1, [])
    }
  }
}
