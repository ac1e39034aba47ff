public import TraceModel
public import TraceReading

/// An open trace of a running program or from a file; both are used in the same way.
///
/// At the end of the trace, a source reads new records on each access. At an earlier instant it
/// uses the records that were read when it moved to the past, and reads more only when a step leads
/// beyond them. Once the process has ended, nothing changes any more. A source is a value: copies
/// read the same file independently of each other.
public struct TraceSource: Sendable {
  private let reader: TraceReader
  /// The latest snapshot.
  private(set) var snapshot: TraceSnapshot
  /// The timeline for the past; nil while the trace is shown at its end.
  var timeline: Timeline?
  private var hasBeenRunning = false
  private var goneSince: ContinuousClock.Instant?
  private var symbolizer: (value: Symbolizer, imageCount: Int)?
  /// Why the file could not be read at the last attempt; nil if it could.
  private var unreadable: TraceError?
  /// The counters at the previous refresh, from which rates are computed if a program records no
  /// events.
  private var lastSample: CounterRates.Sample?
  private var findings = FindingCache()
  /// The callers of subscriptions, as far as they have been looked up; all inspections share them.
  private let callPaths: CallPaths
  var queryCache = QueryCache()

  /// Opens the trace at `path`.
  ///
  /// - Throws: `TraceError` if it cannot be opened, is not a trace, or has another major version.
  public init(path: String) throws(TraceError) {
    reader = try TraceReader(path: path)
    snapshot = try reader.snapshot()
    callPaths = CallPaths(snapshot)
    note(snapshot.processStatus)
  }

  /// The state at a position.
  ///
  /// - Throws: `TraceError` if the trace has no such record or mark.
  public mutating func inspection(at position: Position) throws(TraceError) -> Inspection {
    if position == .end { return end() }
    if timeline == nil || isBeyondTimeline(position) { openTimeline() }
    if let inspection = timeline?.inspection(at: position) {
      guard snapshot.records.hasLostRecords else { return finished(inspection) }
      // A new timeline is made, because the old one would hide that the file has lost records.
      openTimeline()
      return finished(timeline?.inspection(at: position) ?? inspection)
    }
    // The position may have been recorded since the timeline was made.
    openTimeline()
    if let inspection = timeline?.inspection(at: position) { return finished(inspection) }
    throw missing(position)
  }

  /// Whether a time is later than all records read so far, of a program that still records.
  private func isBeyondTimeline(_ position: Position) -> Bool {
    guard case .time(let time) = position, snapshot.processStatus == .running else { return false }
    return snapshot.ticks(at: time) > snapshot.lastTicks
  }

  /// The state one step from a position, with its position; nil if there is no further step.
  public mutating func step(
    _ step: Step,
    forward: Bool,
    from position: Position
  ) throws(TraceError) -> (inspection: Inspection, position: Position)? {
    if timeline == nil { openTimeline() }
    var next =
      forward
      ? timeline?.position(after: position, step) : timeline?.position(before: position, step)
    if next == nil, forward, position != .end, snapshot.processStatus == .running {
      openTimeline()
      next = timeline?.position(after: position, step)
    }
    guard let next else { return nil }
    return (try inspection(at: next), next)
  }

  /// The status of the program, read from the header alone.
  public mutating func program() -> ProgramInfo {
    var copy = snapshot
    do throws(TraceError) {
      copy.header = try reader.header()
      unreadable = nil
    } catch {
      unreadable = error
    }
    copy.processStatus = ProcessStatus(of: copy.header)
    note(copy.processStatus)
    return finished(ProgramInfo(copy, window: nil), copy.processStatus)
  }

  /// An asynchronous backtrace, one line for each frame, as recorded; empty if there is none.
  ///
  /// Symbols are loaded by the first call.
  public mutating func backtrace(of chain: UInt32) -> [String] {
    let text = AsyncBacktraceText(snapshot)
    let symbolizer = currentSymbolizer().knowing(text.addresses(of: chain))
    self.symbolizer?.value = symbolizer
    return text.lines(of: chain, symbolizer)
  }

  /// Where a source file was when it was compiled, according to the program's debug information.
  ///
  /// The compiler names a file `Module/File.swift` wherever it is; its path is found through
  /// asynchronous backtraces that contain code of that file.
  ///
  /// - Parameters:
  ///   - file: The name by which the compiler knows the file.
  ///   - line: A line of the file.
  /// - Returns: Paths, the likeliest first: those whose debug information has this very line, or
  ///   otherwise all files of that name; none without debug information. The paths may be those of
  ///   another machine.
  /// - Complexity: O(records), plus the size of debug information that has not been read yet.
  public mutating func sourcePaths(of file: String, line: UInt32) -> [String] {
    SourcePaths(snapshot).paths(of: file, line: line, currentSymbolizer())
  }

  private mutating func currentSymbolizer() -> Symbolizer {
    // A running program may have loaded libraries since the symbols were read.
    if let symbolizer, symbolizer.imageCount == snapshot.images.count { return symbolizer.value }
    let made = Symbolizer(snapshot)
    symbolizer = (made, snapshot.images.count)
    return made
  }

  // MARK: The end

  private mutating func end() -> Inspection {
    timeline = nil
    readAhead()
    let moment = Moment(end: snapshot, at: snapshot.present)
    var rates: CounterRates?
    if snapshot.lowestLevel < .events {
      rates = lastSample.flatMap { CounterRates(from: $0, to: moment) }
      lastSample = CounterRates.Sample(moment)
    } else {
      lastSample = nil
    }
    return finished(Inspection(end: moment, rates, callPaths, &findings))
  }

  private func finished(_ inspection: Inspection) -> Inspection {
    var inspection = inspection
    inspection.program.ending = ProgramEnding(snapshot)
    inspection.program = finished(inspection.program, snapshot.processStatus)
    return inspection
  }

  private func finished(_ program: ProgramInfo, _ status: ProcessStatus) -> ProgramInfo {
    var program = program
    program.setStatus(status, endedAgo: endedAgo)
    if let unreadable { program.problems.append("\(unreadable); what was read before is kept") }
    return program
  }

  /// Reads new records; if the file can no longer be read, the earlier ones are kept.
  private mutating func readAhead() {
    do throws(TraceError) {
      if snapshot.records.hasLostRecords {
        snapshot = try reader.snapshot()
        findings = FindingCache()
      } else {
        try reader.update(&snapshot)
      }
      unreadable = nil
    } catch {
      unreadable = error
      snapshot.processStatus = ProcessStatus(of: snapshot.header)
    }
    note(snapshot.processStatus)
  }

  // MARK: The past

  private mutating func openTimeline() {
    readAhead()
    timeline = Timeline(snapshot, callPaths, findings.known(of: snapshot)?.findings)
  }

  private func missing(_ position: Position) -> TraceError {
    let what =
      switch position {
      case .event(let number): "event #\(number) is not in the trace"
      case .mark(let index): "mark \(index) is not in the trace"
      case .time, .end: "that instant is not in the trace"
      }
    return TraceError(
      .malformed,
      "\(what): it was never recorded, or the ring has overwritten it",
      path: reader.path
    )
  }

  // MARK: The process

  private mutating func note(_ status: ProcessStatus) {
    if status == .running {
      hasBeenRunning = true
      goneSince = nil
    } else if hasBeenRunning, goneSince == nil {
      goneSince = .now
    }
  }

  /// The time since the process was first found to have ended; nil if it was never seen running.
  private var endedAgo: Duration? { goneSince.map { .now - $0 } }
}
