public import TraceFindings
public import TraceModel
import TraceReading

/// The result of `rxtop check` for tools of continuous integration, independent of the format in
/// which it is written.
public struct FindingReport: Sendable {
  /// The program's name.
  public var program: String
  /// The length of the recording.
  public var duration: Duration
  /// The findings, worst first.
  public var findings: [ReportedFinding]
  /// The findings of the baseline, which lists findings of earlier runs, that were not found again;
  /// nil without a baseline.
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
  /// The files that findings refer to but that were not found below ``root``, as the compiler names
  /// them.
  public var unknownFiles: [String]

  /// Creates a report of the findings of a trace, and looks up the symbols that it needs.
  ///
  /// - Parameters:
  ///   - inspection: The inspection with the findings, to which the baseline, if there is one, has
  ///     been applied.
  ///   - source: The trace of the inspection.
  ///   - root: The folder to which paths are relative; nil for the Git repository that contains the
  ///     working directory, or for the working directory if it is in none.
  ///   - limit: The lowest level at which a finding makes the check fail.
  ///   - gone: The findings of the baseline that were not found again; nil without a baseline.
  /// - Complexity: Linear in the number of records, the number of files below `root`, and the size
  ///   of the debug information.
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
      notes.append("Recorded at level graph, which does not show every kind of finding.")
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

  /// The text with control characters escaped, but with its line breaks.
  static func shown(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { displayName(String($0), columns: 10_000) }.joined(separator: "\n")
  }
}

/// Formats of ``FindingReport``.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// The OASIS standard for results of static analysis, version 2.1.0.
  case sarif
  /// Workflow commands of GitHub Actions, which annotate lines of code.
  case github
  /// Test results in the XML of JUnit, which nearly every CI server can show.
  case junit
}
