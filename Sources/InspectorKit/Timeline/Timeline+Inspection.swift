public import ReactiveTrace

extension Inspection {
  /// The newest state that a snapshot tells.
  ///
  /// - Parameters:
  ///   - snapshot: What was read.
  ///   - now: Since the recording began, for a program that runs on without recording anything; nil
  ///     counts ages to the last sign of life.
  public init(snapshot: TraceSnapshot, at now: Duration? = nil) {
    let ticks = now.map(snapshot.ticks(at:))
    let place = Timeline.Place(count: nil, ticks: max(ticks ?? 0, snapshot.lastTicks))
    let moment = Moment(
      end: snapshot,
      instant: InstantInfo(at: place, snapshot),
      now: place.ticks
    )
    self = InspectionBuilder(moment, window: nil).build()
    program.duration = max(program.duration, instant.time)
  }
}

extension Timeline {
  /// Everything views draw, at an instant; nil for a record or mark that the trace does not have.
  ///
  /// Findings are those of the whole trace at every instant: they judge the recording.
  /// O(records between checkpoints + entities).
  public mutating func inspection(at position: Position) -> Inspection? {
    guard let place = place(position) else { return nil }
    let findings = findingsOfAll()
    let moment = moment(at: place)
    return InspectionBuilder(moment, window: window).build(findings: findings)
  }

  private mutating func findingsOfAll() -> [Finding] {
    if let findings { return findings }
    let made = Inspection(snapshot: snapshot).findings
    findings = made
    return made
  }
}
