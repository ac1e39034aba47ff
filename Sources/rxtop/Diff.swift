internal import ArgumentParser
internal import InspectorUI
internal import ReactiveTrace
internal import TraceFindings
internal import TraceModel

/// The subcommand `diff`.
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what increased and what decreased between two moments, or two traces.",
    discussion: """
      rxtop diff A B                  two traces: lines are found again by operator, file and line
      rxtop diff A --from 'round 1'   two moments of one trace: marks, times, events
      rxtop diff A --from 10s --to 60s

      For two traces it first lists what got worse from A to B, the worst on top: findings that are new or \
      have a higher level, then lines of code whose subscriptions fail, live, begin or send more, wait \
      longer on queues or live longer. Then come what got better, what cannot be compared, and each line \
      that differs: live subscriptions, events per second, the share that failed, subscriptions begun per \
      second, and median lifetimes, each for A and for B; a wide terminal shows more.

      The runs may differ in length: what they do is compared per second. An increase by less than half, \
      or one that chance or the lengths alone explain, is not called worse. Runs of about the same length \
      tell most.
      """
  )

  @Argument(
    help: ArgumentHelp("The PID of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String

  @Argument(help: ArgumentHelp("The later trace.", valueName: "pid|file"))
  var later: String?

  @Option(
    help: ArgumentHelp(
      "The earlier moment; unless given, the first mark that the program named, or else the first.",
      valueName: "when"
    )
  )
  var from: String?

  @Option(
    help: ArgumentHelp(
      "The later moment; unless given, the end; of a recording that was stopped cleanly, the last mark that the program named, if fewer subscriptions are live at the end than at this mark.",
      valueName: "when"
    )
  )
  var to: String?

  @Option(help: ArgumentHelp("Show only rows that pass.", valueName: "filter"))
  var filter = ""

  @Option(help: ArgumentHelp("Sort by this column; followed by up or down.", valueName: "column"))
  var sort: String?

  @Flag(help: "For two traces, also show lines of code that do not differ.")
  var all = false

  @OptionGroup var length: LengthOptions

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var display: DisplayOptions

  func validate() throws {
    if let sort, !DiffText.canSort(by: sort, ofTraces: later != nil) {
      let names = DiffText.sortableColumns(ofTraces: later != nil)
      throw ValidationError(
        "'\(sort)' is not a column of rxtop diff; use \(names.joined(separator: ", "))"
      )
    }
    if later == nil, all {
      throw ValidationError("--all is for two traces; one was given")
    }
    if later != nil, from != nil || to != nil {
      throw ValidationError("--from and --to are moments of one trace; two were given")
    }
  }

  func run() throws {
    let path = try Target.path(target)
    var first = try TraceSource(path: path)
    let text = DiffText(
      columns: Output.isTerminal(1) ? Output.columns : max(120, Output.columns),
      filter: filter,
      sort: sort,
      limit: length.limit,
      glyphs: display.glyphs,
      palette: display.palette,
      showsAll: all
    )
    let after: Inspection
    let base: SiteBase
    var choice: String?
    if let later {
      var second = try TraceSource(path: try Target.path(later))
      let before = try first.inspection(at: .end)
      after = try second.inspection(at: .end)
      base = SiteBase(before, of: after, name: target, waits: (first.waits(), second.waits()))
    } else {
      let end = try first.inspection(at: .end)
      let start = try from.map { try position($0, end) } ?? DiffText.firstMoment(end)
      let begin = try? first.inspection(at: start).instant.time
      var last = to == nil ? begin.flatMap { DiffText.lastMark(end, after: $0) } : nil
      let marked = try last.map { try first.inspection(at: .mark($0.id)) }
      if let marked, marked.instant.isExact {
        after = marked
      } else {
        last = nil
        after = try to.map { try first.inspection(at: try position($0, end)) } ?? end
      }
      choice = text.choice(end, isFromDefault: from == nil, last: last)
      if let from, let begin, begin > after.instant.time {
        throw Failure(
          .usage,
          "'\(from)' is later than \(to.map { "'\($0)'" } ?? "the end of the trace"); --from must lie before --to"
        )
      }
      guard case .base(let found) = try first.query(.base(start)) else { return }
      base = found
    }
    Output.write(json ? text.json(after, base) : (choice ?? "") + text.render(after, base))
  }

  private func position(_ text: String, _ inspection: Inspection) throws -> Position {
    guard let position = MarbleText.position(of: text, inspection) else {
      // Marks that the recorder sets have no names.
      let names = inspection.marks.filter { !$0.name.isEmpty }.map { "'\($0.name)'" }
      throw Failure(
        .usage,
        "'\(text)' is not a moment; use 12.5s, 1:12.258, #8203, end, or the name of a mark"
          + (names.isEmpty ? "" : ": " + names.prefix(8).joined(separator: ", "))
          + (names.count > 8 ? " and \(names.count - 8) more" : "")
      )
    }
    return position
  }
}
