internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import InspectorUI
internal import ReactiveTrace
internal import TraceExports
internal import TraceFindings
internal import TraceModel

/// The subcommand `check`.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check for findings; the exit status reports them.",
    discussion: """
      Exit status: 0 nothing at or above --fail-on, 1 findings, 2 the command line is wrong, \
      3 the trace or the baseline cannot be read, 4 nothing found but the trace is too incomplete \
      to be sure.

      A baseline is a text file: 'known …' for a finding that was there before and does not count, \
      as --write-baseline writes them, and 'allow kind=… operator=… file=… module=… fingerprint=… \
      until=2027-01-31 reason' for findings that are allowed until a day, or until=never. \
      * stands for anything. What is worse than it was, or allowed no more, counts.

      Kinds of findings:
      """ + FindingKind.allCases.map { "\n  \($0.rawValue): \($0.title)" }.joined()
  )

  @Argument(
    help: ArgumentHelp("The number of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String

  @Option(
    help: ArgumentHelp(
      "Fail from this level on.",
      valueName: "level"
    )
  )
  var failOn = LevelName.leak

  @Option(
    help: ArgumentHelp("Findings that are known or allowed do not count.", valueName: "file")
  )
  var baseline: String?

  @Flag(help: "Make all findings there are now known in the --baseline file, and exit with 0.")
  var writeBaseline = false

  @Flag(help: "Print the findings as JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing; the exit status says it.")
  var quiet = false

  @OptionGroup var look: LookOptions

  func validate() throws {
    if writeBaseline, baseline == nil {
      throw ValidationError("--write-baseline needs --baseline: the file to write")
    }
  }

  func run() throws {
    var source = try TraceSource(path: try Target.path(target))
    var inspection = try source.inspection(at: .end)
    if let baseline {
      let file = BaselineFile(path: baseline)
      if writeBaseline { return try file.write(inspection.findings) }
      try file.read().apply(to: &inspection, today: BaselineFile.today())
    }
    let status = ExitStatus(checking: inspection, failOn: failOn.level)
    if json {
      Output.write(InspectionJSON.text(inspection))
    } else if !quiet {
      print(inspection, status)
    }
    if status != .clean { throw ExitCode(status.rawValue) }
  }

  private func print(_ inspection: Inspection, _ status: ExitStatus) {
    let columns = Output.isTerminal(1) ? Output.columns : max(120, Output.columns)
    let text = OnceText(
      screen: .findings,
      filter: "",
      columns: columns,
      glyphs: look.glyphs,
      palette: look.palette
    )
    var counted = inspection
    counted.findings.removeAll { !$0.standing.counts }
    Output.write(text.render(counted))
    let lines = BaselineReport.lines(inspection.findings)
    if !lines.isEmpty { Output.write("\n" + lines.joined(separator: "\n") + "\n") }
    if inspection.program.level == .graph {
      let kinds = FindingKind.allCases.filter(\.needsEvents).map(\.rawValue)
      Output.write(
        "\nRecorded at level graph, which cannot tell of \(kinds.joined(separator: ", ")).\n"
      )
    }
    if status == .incomplete {
      Output.write(
        "\nNothing was found, but the trace is too incomplete to pass (exit status 4).\n"
      )
    }
  }
}

/// The file that says what is known.
struct BaselineFile {
  let path: String

  func read() throws -> FindingBaseline {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Failure(
        .unreadable,
        "'\(displayName(path))' cannot be read as a baseline; rxtop check --baseline FILE --write-baseline TRACE makes one"
      )
    }
    do {
      return try FindingBaseline(parsing: text)
    } catch {
      throw Failure(.unreadable, "'\(displayName(path))', \(error)")
    }
  }

  /// Makes findings known; what the file allows stays, and so do its comments.
  func write(_ findings: [Finding]) throws {
    var kept: [Substring] = []
    if let text = try? String(contentsOfFile: path, encoding: .utf8) {
      _ = try read()
      kept = text.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("known") }
      while kept.last?.isEmpty == true { kept.removeLast() }
    }
    let lines = kept.map(String.init) + findings.map(FindingBaseline.statement)
    do {
      try (lines.joined(separator: "\n") + "\n")
        .write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw Failure(.unreadable, "'\(displayName(path))' cannot be written")
    }
    Output.write(
      "\(findings.count) finding\(findings.count == 1 ? "" : "s") in '\(displayName(path))'\n"
    )
  }

  /// The day it is, in UTC.
  static func today() -> String {
    var now = time(nil)
    var day = tm()
    gmtime_r(&now, &day)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(day.tm_year + 1900)-\(two(day.tm_mon + 1))-\(two(day.tm_mday))"
  }
}
