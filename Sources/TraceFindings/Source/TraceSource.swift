public import TraceModel
public import TraceReading

/// A trace being looked at: a running program's or a file, which look the same from here.
///
/// At the end it reads what is new each time it is asked. At any other instant it stands on what was read
/// when the past was entered, and reads on when a step leads beyond that. Once the process is gone
/// everything stays as it was. A value: copies read the same file and know nothing of each other.
public struct TraceSource: Sendable {
  private let reader: TraceReader
  /// What was read last.
  private(set) var snapshot: TraceSnapshot
  /// Where the past is looked at; nil at the end.
  var timeline: Timeline?
  private var hasBeenRunning = false
  private var goneSince: ContinuousClock.Instant?
  private var symbolizer: (value: Symbolizer, imageCount: Int)?
  /// Why the file could not be read the last time.
  private var unreadable: TraceError?
  /// What the end looked like last, for rates of programs that record no events.
  private var lastSample: CounterRates.CounterSample?
  private var findings = FindingCache()
  /// Who made subscriptions, as far as it was looked up: the same for all inspections.
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
    if timeline == nil { openTimeline() }
    if let inspection = timeline?.inspection(at: position) {
      guard snapshot.records.hasLostRecords else { return finished(inspection) }
      // What is gone from under the index would be missing without a word.
      openTimeline()
      return finished(timeline?.inspection(at: position) ?? inspection)
    }
    // It may have been recorded since.
    openTimeline()
    if let inspection = timeline?.inspection(at: position) { return finished(inspection) }
    throw missing(position)
  }

  /// The state one step from a position, and the position of it; nil if there is nothing further.
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

  /// What has become of the program, from its header alone.
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

  /// An asynchronous backtrace, one line for each frame, unfiltered; empty if there is none.
  ///
  /// Symbols are looked up the first time one is asked for.
  public mutating func backtrace(of chain: UInt32) -> [String] {
    let text = AsyncBacktraceText(snapshot)
    let symbolizer = currentSymbolizer().knowing(text.addresses(of: chain))
    self.symbolizer?.value = symbolizer
    return text.lines(of: chain, symbolizer)
  }

  /// Where the program's debug information says that a line of source was when it was compiled.
  ///
  /// The compiler calls a file `Module/File.swift` wherever it is; the asynchronous backtraces lead through it.
  ///
  /// - Parameters:
  ///   - file: As the compiler named it.
  ///   - line: The line.
  /// - Returns: Paths, the likeliest first: those with that very line, or else all of that name; none without
  ///   debug information. The paths may be of another machine.
  /// - Complexity: O(records), and for debug information that was not read yet, its size.
  public mutating func sourcePaths(of file: String, line: UInt32) -> [String] {
    SourcePaths(snapshot).paths(of: file, line: line, currentSymbolizer())
  }

  private mutating func currentSymbolizer() -> Symbolizer {
    // A program may load libraries while it runs.
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
      lastSample = CounterRates.CounterSample(moment)
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

  /// Reads what is new; what was read stays where the file cannot be read any more.
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

  /// Since it was first seen to be gone, if it was seen running before.
  private var endedAgo: Duration? { goneSince.map { .now - $0 } }
}
