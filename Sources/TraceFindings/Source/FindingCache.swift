import TraceModel
import TraceReading

/// The findings at the end of a trace, with the signs of faults that cannot be judged; recomputed
/// when something has changed.
///
/// The longer the computation takes, the less often it is repeated for a running program, so that
/// it takes at most one second in sixty.
struct FindingCache: Sendable {
  private var evaluation: Evaluation?
  private var madeAt = ContinuousClock.now
  private var cost = Duration.zero
  private var basis: Basis?

  struct Evaluation {
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

  /// How long findings are kept, as a multiple of the time that it took to compute them.
  private static let lifetimeFactor = 60.0

  /// - Parameters:
  ///   - snapshot: The trace to be judged.
  ///   - inspection: The inspection of the same snapshot, without findings.
  /// - Returns: The current findings, or slightly older ones for a running program.
  mutating func evaluation(on snapshot: TraceSnapshot, _ inspection: Inspection) -> Evaluation {
    if let evaluation = known(of: snapshot) { return evaluation }
    let now = ContinuousClock.now
    let findings = FindingEngine.findings(in: snapshot, inspection: inspection)
    let made = Evaluation(findings: findings, doubts: InconclusiveSigns.of(snapshot, findings))
    basis = Basis(snapshot)
    evaluation = made
    madeAt = .now
    cost = madeAt - now
    return made
  }

  /// The findings of a snapshot, or recent ones of a running program; nil if the snapshot has to be
  /// judged again.
  func known(of snapshot: TraceSnapshot) -> Evaluation? {
    let isRunning = snapshot.processStatus == .running
    let isKept =
      isRunning
      ? ContinuousClock.now - madeAt < cost * Self.lifetimeFactor : basis == Basis(snapshot)
    return isKept ? evaluation : nil
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
