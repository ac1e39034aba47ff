internal import ArgumentParser
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

      Formats: text is for people and json for scripts; sarif is SARIF 2.1.0, for code scanning and \
      editors; github is annotations for GitHub Actions; junit is a test report. The last three \
      give paths relative to the source root. The article "Findings in CI" describes them.

      A baseline is a text file of two kinds of lines: 'known …', as --write-baseline writes them, \
      for a finding that was there before and does not count; and 'allow kind=… operator=… file=… \
      module=… fingerprint=… \
      until=2027-01-31 reason' for findings that are allowed until a date, or forever with until=never. \
      * stands for anything. A finding that got worse, or that is no longer allowed, counts; a known one that \
      was not found is reported as gone.

      Kinds of findings:
      """ + FindingKind.allCases.map { "\n  \($0.rawValue): \($0.title)" }.joined()
  )

  @Argument(
    help: ArgumentHelp("The PID of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String

  @Option(
    help: ArgumentHelp("Fail if anything is found at this level or above.", valueName: "level")
  )
  var failOn = LevelName.leak

  @Option(
    help: ArgumentHelp(
      "A file of findings that are known or allowed, and so do not count.",
      valueName: "file"
    )
  )
  var baseline: String?

  @Option(
    help: ArgumentHelp(
      "Write a baseline in which all present findings are known, and exit with 0; "
        + "the 'allow' lines of the file stay.",
      valueName: "file"
    )
  )
  var writeBaseline: String?

  @Option(
    help: ArgumentHelp(
      "Output format: text (the default), json, sarif, github or junit.",
      valueName: "format"
    )
  )
  var format: CheckFormat?

  @Flag(help: "The same as --format json.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "What the paths of sarif, github and junit are relative to; by default the Git repository around the working directory, or else that directory.",
      valueName: "folder"
    )
  )
  var sourceRoot: String?

  @Flag(name: .shortAndLong, help: "Print nothing; only set the exit status.")
  var quiet = false

  @OptionGroup var display: DisplayOptions

  func validate() throws {
    if writeBaseline != nil, baseline != nil {
      throw ValidationError(
        "'--write-baseline' makes all findings known; leave out --baseline or --write-baseline"
      )
    }
    if json, let format, format != .json {
      throw ValidationError("'--json' is --format json; leave it or '--format \(format)' out")
    }
    if let sourceRoot, !Files.isFolder(sourceRoot) {
      throw ValidationError("'--source-root \(sourceRoot)' is not a folder")
    }
  }

  func run() throws {
    var source = try TraceSource(path: try Target.path(target))
    var inspection = try source.inspection(at: .end)
    if let writeBaseline { return try BaselineFile(path: writeBaseline).write(inspection.findings) }
    var gone: [FindingBaseline.Known]?
    if let baseline {
      gone = try BaselineFile(path: baseline).read()
        .apply(to: &inspection, today: BaselineFile.today())
    }
    let status = ExitStatus(checking: inspection, failOn: failOn.level)
    if !quiet {
      let text =
        switch json ? .json : format ?? .text {
        case .text: plainText(inspection, status, gone ?? [])
        case .json: InspectionJSON.text(inspection, gone: gone)
        case .sarif: report(.sarif, inspection, &source, gone)
        case .github: report(.github, inspection, &source, gone)
        case .junit: report(.junit, inspection, &source, gone)
        }
      Output.write(text, statusWithoutReader: status)
    }
    if status != .clean { throw ExitCode(status.rawValue) }
  }

  private func report(
    _ format: ReportFormat,
    _ inspection: Inspection,
    _ source: inout TraceSource,
    _ gone: [FindingBaseline.Known]?
  ) -> String {
    let report = FindingReport(
      inspection,
      of: &source,
      below: sourceRoot,
      failOn: failOn.level,
      gone: gone
    )
    if let file = report.unknownFiles.first {
      let count = report.unknownFiles.count
      Output.toStandardError(
        "rxtop: \(count) file\(count == 1 ? "" : "s") of findings \(count == 1 ? "was" : "were") not found below "
          + "'\(displayName(report.root))', as '\(displayName(file))'; name the folder of the sources with --source-root\n"
      )
    }
    return report.text(format, version: Rxtop.version)
  }

  private func plainText(
    _ inspection: Inspection,
    _ status: ExitStatus,
    _ gone: [FindingBaseline.Known]
  ) -> String {
    let columns = Output.isTerminal(1) ? Output.columns : max(120, Output.columns)
    let text = BatchText(
      screen: .findings,
      filter: "",
      columns: columns,
      glyphs: display.glyphs,
      palette: display.palette
    )
    var counted = inspection
    counted.findings.removeAll { !$0.baselineStatus.counts }
    var result = text.render(counted)
    let lines =
      BaselineReport.lines(inspection.findings)
      + BaselineReport.gone(gone, isIncomplete: inspection.program.isIncomplete)
    if !lines.isEmpty { result += "\n" + lines.joined(separator: "\n") + "\n" }
    if let place = LevelRemark.place(inspection) {
      let kinds = FindingKind.allCases.filter(\.needsEvents).map(\.rawValue)
      result += "\n\(place), which cannot show \(kinds.joined(separator: ", ")).\n"
    }
    if status == .incomplete {
      result +=
        "\nNothing was found that fails this check, but the trace is too incomplete to pass (exit status 4).\n"
    }
    return result
  }
}

/// The output formats of `check`.
enum CheckFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, sarif, github, junit
}
