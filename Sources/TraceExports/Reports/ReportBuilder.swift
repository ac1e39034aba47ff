import TraceFindings
import TraceModel
import TraceReading

/// What a report needs from a trace in addition to its inspection.
protocol ReportSource {
  /// The lines of an asynchronous backtrace, innermost function first, as
  /// ``/TraceModel/AsyncBacktraceText`` formats them.
  mutating func backtrace(of chain: UInt32) -> [String]
  /// The paths that a source file may have had when it was compiled, from debug information.
  mutating func sourcePaths(of file: String, line: UInt32) -> [String]
}

extension TraceSource: ReportSource {}

/// Converts findings to ``ReportedFinding``.
struct ReportBuilder<Source: ReportSource> {
  private typealias Place = ReportedFinding.Place

  private let inspection: Inspection
  private let paths: RepositoryPaths
  private let limit: FindingLevel
  private(set) var source: Source
  /// The paths found so far, by the file name that the compiler uses; nil for a file that is not
  /// below the root.
  private var known: [String: String?] = [:]
  /// The files that were not found below the root, as the compiler names them.
  private(set) var unknownFiles: [String] = []

  /// The maximum number of callers, and of other lines of code, in a reported finding.
  private static var mostLines: Int { 8 }
  /// The beginning of a separator line between two stacks of a backtrace.
  private static var separatorPrefix: String { "… asynchronously invoked" }

  init(
    _ inspection: Inspection,
    _ paths: RepositoryPaths,
    _ source: Source,
    failOn limit: FindingLevel
  ) {
    (self.inspection, self.paths, self.source, self.limit) = (inspection, paths, source, limit)
  }

  mutating func report(_ finding: Finding) -> ReportedFinding {
    let place = place(ofSite: finding.site, displayName(finding.name))
    let label = "\(displayName(finding.name))@\(displayName(finding.location))"
    var lines = [finding.sentence]
    if finding.blamedCaller != nil, let callers = finding.callers { lines.append(callers.sentence) }
    lines += [finding.cap, finding.settling].compactMap { $0 }
    var reported = ReportedFinding(
      kind: finding.kind,
      level: finding.level,
      title: "\(finding.level.label) \(finding.kind.rawValue): \(label)",
      name: "\(finding.kind.rawValue): \(displayName(finding.name))"
        + (place.map { " in \(displayName($0.path))" } ?? ""),
      reasoning: lines.map(FindingReport.shown),
      edit: FindingReport.shown(finding.remedy),
      evidence: FindingReport.shown(finding.evidence.text),
      place: place,
      fingerprint: finding.looseFingerprint,
      baselineStatus: finding.baselineStatus,
      isFailing: finding.fails(from: limit)
    )
    reported.lineFingerprint = finding.fingerprint
    reported.caller = blamedCall(of: finding)
    reported.flow = flow(of: finding, to: place)
    reported.related = callers(of: finding) + otherLines(of: finding) + records(of: finding)
    return reported
  }

  // MARK: Places

  private mutating func place(ofSite id: UInt32, _ text: String) -> Place? {
    guard let site = inspection.site(id), !site.file.isEmpty, site.line > 0 else { return nil }
    return Place(
      path: path(of: site.file, site.line),
      line: site.line,
      column: site.column > 0 ? site.column : nil,
      text: text
    )
  }

  private mutating func path(of file: String, _ line: UInt32) -> String {
    if let path = known[file] { return path ?? file }
    let path = paths.path(of: file, compiledAt: source.sourcePaths(of: file, line: line))
    known[file] = path
    if path == nil { unknownFiles.append(file) }
    return path ?? file
  }

  private func place(of frame: Frame, _ text: String) -> Place? {
    guard let name = frame.path.split(separator: "/").last,
      let path = paths.path(of: String(name), compiledAt: [frame.path])
    else { return nil }
    return Place(path: path, line: frame.line, column: nil, text: displayName(text, columns: 1000))
  }

  // MARK: Backtraces

  /// A function of the program on an asynchronous backtrace.
  private struct Frame {
    var function: String
    /// The path from debug information.
    var path: String
    var line: UInt32
    /// The hop between this function and the next inner one, such as `on road` for a hop to the
    /// scheduler `road`; empty for a hop without a description, and nil if there is no hop.
    var hopText: String?
  }

  /// The program's own functions on a backtrace, innermost first.
  private mutating func frames(of chain: UInt32) -> [Frame] {
    guard chain != 0 else { return [] }
    let lines = source.backtrace(of: chain)
    var frames: [Frame] = []
    var hopText: String?
    for (line, owner) in zip(lines, AsyncBacktraceText.owners(of: lines)) {
      if line.hasPrefix(Self.separatorPrefix) {
        // The rest of the separator is, for example, ` (on road) from:` or ` from:`.
        hopText = String(
          line.dropFirst(Self.separatorPrefix.count).dropLast(6).dropFirst(2).dropLast()
        )
      }
      guard owner == .program, let at = line.lastRange(of: " at ") else { continue }
      var place = line[at.upperBound...]
      if place.hasSuffix(" [inlined]") { place = place.dropLast(10) }
      guard let colon = place.lastIndex(of: ":"), let number = UInt32(place[colon...].dropFirst())
      else {
        continue
      }
      frames.append(
        Frame(
          function: String(line[..<at.lowerBound]),
          path: String(place[..<colon]),
          line: number,
          hopText: hopText
        )
      )
      hopText = nil
    }
    return frames
  }

  /// The row of the backtrace of the accused entity or, if there is none, of another entity of the
  /// same site, preferably an active subscription; 0 if there is none either.
  private func chain(of finding: Finding) -> UInt32 {
    if let key = finding.callers?.blamed?.oldest ?? finding.subject {
      if let chain = inspection.subscription(key)?.chain ?? inspection.timer(key)?.chain, chain != 0
      {
        return chain
      }
    }
    let ofLine = inspection.subscriptions.filter { $0.site == finding.site && $0.chain != 0 }
    let timer = inspection.timers.first { $0.site == finding.site && $0.chain != 0 }
    return ofLine.first { $0.state == .active }?.chain ?? ofLine.first?.chain ?? timer?.chain ?? 0
  }

  /// The calls that lead to the accused line, outermost first, and that line.
  private mutating func flow(of finding: Finding, to end: Place?) -> [Place] {
    var flow: [Place] = []
    var hopText: String?
    for frame in frames(of: chain(of: finding)).reversed() {
      let hop = hopText.map { $0.isEmpty ? "asynchronously: " : "asynchronously, \($0): " } ?? ""
      if let place = place(of: frame, hop + frame.function) { flow.append(place) }
      hopText = frame.hopText
    }
    guard !flow.isEmpty, let end else { return [] }
    if flow.last?.path != end.path || flow.last?.line != end.line { flow.append(end) }
    return flow
  }

  // MARK: Evidence

  private mutating func callers(of finding: Finding) -> [Place] {
    guard let callers = finding.callers else { return [] }
    var places: [Place] = []
    for share in callers.shares.prefix(Self.mostLines) where share.accused > 0 {
      let text = "\(share.accused) of \(callers.accused) were made for \(share.caller.function)"
      if let place = frame(of: share).flatMap({ place(of: $0, text) }) { places.append(place) }
    }
    return places
  }

  private mutating func frame(of share: FindingCallers.Share) -> Frame? {
    guard let chain = share.oldest.flatMap({ inspection.subscription($0)?.chain }) else {
      return nil
    }
    return frames(of: chain).first { frame in
      let name = frame.path.split(separator: "/").last ?? ""
      return "\(name):\(frame.line)" == share.caller.location
    }
  }

  /// The call that is to blame.
  ///
  /// If the file of the call is not below the root, debug information provides the path.
  private mutating func blamedCall(of finding: Finding) -> Place? {
    guard finding.blamedCaller != nil, let share = finding.callers?.blamed else { return nil }
    let function = displayName(share.caller.function, columns: 1000)
    let frame = frame(of: share)
    if let place = frame.flatMap({ place(of: $0, function) }) { return place }
    guard let colon = share.caller.location.lastIndex(of: ":"),
      let line = UInt32(share.caller.location[colon...].dropFirst())
    else { return nil }
    let file = frame?.path ?? String(share.caller.location[..<colon])
    return Place(path: displayName(file), line: line, column: nil, text: function)
  }

  /// The other lines of code whose counters are evidence.
  private mutating func otherLines(of finding: Finding) -> [Place] {
    var places: [Place] = []
    for row in finding.evidence.rows where row.hasPrefix("site ") && places.count < Self.mostLines {
      guard let id = UInt32(row.dropFirst(5)), id != finding.site, let site = inspection.site(id)
      else {
        continue
      }
      let text = "the figures also count \(displayName(site.name))"
      if let place = place(ofSite: id, text) { places.append(place) }
    }
    return places
  }

  private mutating func records(of finding: Finding) -> [Place] {
    guard let log = inspection.recordedEvents?.log else { return [] }
    let rows = finding.evidence.events.compactMap { log.records.row(ofNumber: $0) }.sorted()
    var places: [Place] = []
    for event in log.rows(rows) {
      let text = "event #\(event.number) after \(Quantity.moment(event.time)): \(event.what)"
      if let place = event.site.flatMap({ place(ofSite: $0, text) }) { places.append(place) }
    }
    return places
  }
}
