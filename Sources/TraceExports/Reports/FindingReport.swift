public import TraceFindings
public import TraceModel
import TraceReading

/// What `rxtop check` says, for tools of continuous integration: made once, and written for each of them.
public struct FindingReport: Sendable {
  /// The program's name.
  public var program: String
  /// How long was recorded.
  public var duration: Duration
  /// Worst first.
  public var findings: [ReportedFinding]
  /// What the baseline knows and was not found; nil without a baseline.
  public var gone: [FindingBaseline.Known]?
  /// What comes of it all.
  public var verdict: CheckVerdict
  /// What the recording lacks that bears on the verdict, a sentence each.
  public var shortfalls: [String]
  /// What else is to be known of the recording, a sentence each.
  public var notes: [String]
  /// Kinds of findings that this recording cannot tell of.
  public var unseen: Set<FindingKind>
  /// Where paths begin.
  public var root: String
  /// Files of findings that are not below the root of the sources, as the compiler names them.
  public var unknownFiles: [String]

  /// Reports what was found in a trace.
  ///
  /// Symbols are looked up for it.
  ///
  /// - Parameters:
  ///   - inspection: The state with its findings, to which a baseline has been applied if there is one.
  ///   - source: The trace that it is of.
  ///   - root: The folder that paths begin at; nil for the repository of Git that the working directory is in, or else that
  ///     directory.
  ///   - limit: The level from which on a finding makes the check fail.
  ///   - gone: What the baseline knows and was not found; nil without a baseline.
  /// - Complexity: O(records), O(files below `root`), and the size of the debug information.
  public init(
    _ inspection: Inspection,
    of source: inout TraceSource,
    below root: String?,
    failOn limit: FindingLevel,
    gone: [FindingBaseline.Known]?
  ) {
    let root = root ?? RepositoryPaths.repository(around: ".")
    // Where nothing was found, no folder needs to be looked through.
    let paths =
      inspection.findings.isEmpty
      ? RepositoryPaths(root: root, files: [:]) : RepositoryPaths(below: root)
    self.init(inspection, paths, &source, failOn: limit, gone: gone)
  }

  init(
    _ inspection: Inspection,
    _ paths: RepositoryPaths,
    _ source: inout some ReportSource,
    failOn limit: FindingLevel,
    gone: [FindingBaseline.Known]?
  ) {
    var builder = ReportBuilder(inspection, paths, source, failOn: limit)
    findings = inspection.findings.map { builder.report($0) }
    unknownFiles = builder.unknownFiles
    source = builder.source
    root = paths.root
    let program = inspection.program
    self.program = displayName(program.name)
    duration = program.duration
    self.gone = gone
    verdict = inspection.verdict(failOn: limit)
    shortfalls = (program.losses + program.problems + inspection.doubts).map(Self.shown)
    if program.isIncomplete, shortfalls.isEmpty { shortfalls = ["The recording is incomplete."] }
    notes = program.note.isEmpty ? [] : [Self.shown(program.note)]
    let isGraph = program.level == .graph
    unseen = Set(
      FindingKind.allCases.filter { kind in
        isGraph && kind.needsEvents || program.isIncomplete && kind.needsAll
      }
    )
    if isGraph {
      notes.append("Recorded at level graph, which does not tell of every kind of finding.")
    }
  }

  /// Writes the report in a format.
  ///
  /// - Parameters:
  ///   - format: Whose.
  ///   - version: That of the tool.
  /// - Returns: The text, ended by a newline unless it is empty.
  public func text(_ format: ReportFormat, version: String) -> String {
    switch format {
    case .sarif: SARIFReport.text(self, version)
    case .github: GitHubReport.text(self)
    case .junit: JUnitReport.text(self)
    }
  }

  /// A text without anything that would act on a terminal; lines stay lines.
  static func shown(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { displayName(String($0), columns: 10_000) }.joined(separator: "\n")
  }
}

/// Formats of ``FindingReport``.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// The OASIS standard for results of analyses, version 2.1.0.
  case sarif
  /// Commands of GitHub Actions that annotate lines.
  case github
  /// Results of tests, as nearly every server for continuous integration shows them.
  case junit
}
