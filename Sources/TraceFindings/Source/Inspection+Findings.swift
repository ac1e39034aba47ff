public import TraceModel
public import TraceReading

extension Inspection {
  /// The newest state of a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - now: The time since the recording began, for a program that continues without recording
  ///     anything; nil to compute ages up to the last sign of life.
  public init(snapshot: TraceSnapshot, at now: Duration? = nil) {
    self.init(snapshot: snapshot, at: now, CallPaths(snapshot))
  }

  fileprivate init(snapshot: TraceSnapshot, at now: Duration?, _ callPaths: CallPaths) {
    let builder = InspectionBuilder(
      Moment(end: snapshot, at: now),
      window: nil,
      callPaths: callPaths
    )
    self = builder.build { FindingEngine.findings(in: snapshot, inspection: $0) }
    doubts = InconclusiveSigns.of(snapshot, findings)
    program.duration = max(program.duration, instant.time)
  }

  /// Whether a longer recording, or one with more marks of the program, could show growth that this
  /// one does not show.
  package var isShortForGrowth: Bool {
    program.duration < .seconds(10)
      && allMarks.count { $0.kind == .program } < GrowthWindows.minimumRounds
  }

  /// The newest state, with rates computed from counters, and findings from the cache.
  init(
    end moment: Moment,
    _ rates: CounterRates?,
    _ callPaths: CallPaths,
    _ cache: inout FindingCache
  ) {
    let builder = InspectionBuilder(moment, window: nil, counterRates: rates, callPaths: callPaths)
    var evaluatedDoubts: [String] = []
    self = builder.build {
      let evaluation = cache.evaluation(on: moment.snapshot, $0)
      evaluatedDoubts = evaluation.doubts
      return evaluation.findings
    }
    doubts = evaluatedDoubts
    program.duration = max(program.duration, instant.time)
  }
}

extension Timeline {
  /// The timeline of a snapshot.
  ///
  /// - Complexity: O(records).
  public init(_ snapshot: TraceSnapshot) { self.init(snapshot, CallPaths(snapshot), nil) }

  /// The timeline with callers that were looked up earlier, and its findings if they are known.
  init(_ snapshot: TraceSnapshot, _ callPaths: CallPaths, _ findings: [Finding]?) {
    self.init(snapshot, callPaths: callPaths) {
      findings ?? Inspection(snapshot: $0, at: nil, callPaths).findings
    }
  }
}
