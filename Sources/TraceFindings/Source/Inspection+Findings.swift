public import TraceModel
public import TraceReading

extension Inspection {
  /// The newest state that a snapshot tells.
  ///
  /// - Parameters:
  ///   - snapshot: What was read.
  ///   - now: Since the recording began, for a program that runs on without recording anything; nil
  ///     counts ages to the last sign of life.
  public init(snapshot: TraceSnapshot, at now: Duration? = nil) {
    let builder = InspectionBuilder(Moment(end: snapshot, at: now), window: nil)
    self = builder.build { FindingEngine.findings(in: snapshot, inspection: $0) }
    program.duration = max(program.duration, instant.time)
  }

  /// The same with rates that counters tell, and findings as the cache has them.
  init(end moment: Moment, _ rates: CounterRates?, _ cache: inout FindingCache) {
    self = InspectionBuilder(moment, window: nil, counterRates: rates).build { inspection in
      cache.findings(in: moment.snapshot, inspection)
    }
    program.duration = max(program.duration, instant.time)
  }
}

extension Timeline {
  /// The timeline of a snapshot.
  ///
  /// O(records).
  public init(_ snapshot: TraceSnapshot) {
    self.init(snapshot) { Inspection(snapshot: $0).findings }
  }
}
