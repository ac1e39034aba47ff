import TraceModel
import TraceReading

/// The findings at the end of a trace and what cannot be judged there, recomputed when something
/// has changed.
///
/// For a running program they are recomputed less often the longer it takes: never more than one
/// second in sixty.
struct FindingCache: Sendable {
  private var judgement: Judgement?
  private var madeAt = ContinuousClock.now
  private var cost = Duration.zero
  private var basis: Basis?

  struct Judgement {
    var findings: [Finding]
    var doubts: [String]
  }

  fileprivate struct Basis: Equatable {
    var records: Int
    var lastRecord: UInt64?
    var dropped: UInt64
    var status: ProcessStatus
    var ending: TraceEnding?
    var marks: Int
    var lastTicks: UInt64
  }

  /// The time before they are recomputed, in multiples of the time that computing them took.
  private static let patience = 60.0

  /// - Parameters:
  ///   - snapshot: The trace to be judged.
  ///   - inspection: The inspection of the same snapshot, without findings.
  /// - Returns: The current findings, or those of a while ago.
  mutating func judgement(on snapshot: TraceSnapshot, _ inspection: Inspection) -> Judgement {
    if let judgement = known(of: snapshot) { return judgement }
    let now = ContinuousClock.now
    let findings = FindingEngine.findings(in: snapshot, inspection: inspection)
    let made = Judgement(findings: findings, doubts: InconclusiveSigns.of(snapshot, findings))
    basis = Basis(snapshot)
    judgement = made
    madeAt = .now
    cost = madeAt - now
    return made
  }

  /// The findings for a snapshot, or recent ones for a running program; nil where it has to be
  /// judged again.
  func known(of snapshot: TraceSnapshot) -> Judgement? {
    let isRunning = snapshot.processStatus == .running
    let isKept =
      isRunning ? ContinuousClock.now - madeAt < cost * Self.patience : basis == Basis(snapshot)
    return isKept ? judgement : nil
  }
}

extension FindingCache.Basis {
  fileprivate init(_ snapshot: TraceSnapshot) {
    records = snapshot.records.count
    lastRecord = snapshot.records.last?.number
    dropped = snapshot.droppedRecords
    status = snapshot.processStatus
    ending = snapshot.header.ending
    marks = snapshot.marks.count
    lastTicks = snapshot.lastTicks
  }
}
