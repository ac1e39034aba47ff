public import TraceFindings
public import TraceModel
import TraceReading

/// The content of `rxtop check` for tools of continuous integration: made once, and written in the
/// format of each.
public struct FindingReport: Sendable {
  /// The program's name.
  public var program: String
  /// The length of the recording.
  public var duration: Duration
  /// The findings, worst first.
  public var findings: [ReportedFinding]
  /// The known findings of the baseline that were not found; nil without a baseline.
  public var gone: [FindingBaseline.Known]?
  /// The overall verdict.
  public var verdict: CheckVerdict
  /// The shortcomings of the recording that affect the verdict, one sentence each.
  public var shortfalls: [String]
  /// Further remarks about the recording, one sentence each.
  public var notes: [String]
  /// Kinds of findings that cannot be detected in this recording.
  public var unseen: Set<FindingKind>
  /// The folder to which paths are relative.
  public var root: String
  /// Files that findings refer to and that are outside the root of the sources, as the compiler
  /// names them.
  public var unknownFiles: [String]

  /// Reports the findings of a trace; looks up the symbols that this needs.
  ///
  /// - Parameters:
  ///   - inspection: The state with its findings, to which a baseline has been applied if there is
  ///     one.
  ///   - source: The trace of the inspection.
  ///   - root: The folder to which paths are relative; nil for the Git repository that contains the
  ///     working directory, or otherwise that directory.
  ///   - limit: The lowest level at which a finding makes the check fail.
  ///   - gone: The known findings of the baseline that were not found; nil without a baseline.
  /// - Complexity: O(records), O(files below `root`), and the size of the debug information.
  public init(
    _ inspection: Inspection,
    of source: inout TraceSource,
    below root: String?,
    failOn limit: FindingLevel,
    gone: [FindingBaseline.Known]?
  ) {
    let root = root ?? RepositoryPaths.repository(around: ".")
    // Without findings, no folder needs to be searched.
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
  ///   - format: The format.
  ///   - version: The version of the tool.
  /// - Returns: The text, ended by a newline unless it is empty.
  public func text(_ format: ReportFormat, version: String) -> String {
    switch format {
    case .sarif: SARIFReport.text(self, version)
    case .github: GitHubReport.text(self)
    case .junit: JUnitReport.text(self)
    }
  }

  /// A text without characters that would affect a terminal; line breaks are kept.
  static func shown(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { displayName(String($0), columns: 10_000) }.joined(separator: "\n")
  }
}

/// Formats of ``FindingReport``.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// The OASIS standard for results of static analysis, version 2.1.0.
  case sarif
  /// Commands of GitHub Actions that annotate lines.
  case github
  /// Results of tests, as nearly every server for continuous integration shows them.
  case junit
}
