import TraceModel
import TraceReading

/// A row of the start screen: a running program or a recording.
struct PickerRow: Sendable {
  /// The state of the program; `unusable` if the file cannot be read as a trace.
  enum State: String, Sendable, CaseIterable {
    case running, ended, died, crashed, elsewhere, unusable

    /// The meaning of the word, for the help.
    var meaning: String {
      switch self {
      case .running: "the program runs, and may be recording"
      case .ended: "recording was stopped cleanly"
      case .died: "the program crashed, was killed, or exited without stopping the recording"
      case .crashed: "a signal such as SIGSEGV ended the program"
      case .elsewhere: "of another machine, boot or container: the program may still run"
      case .unusable: "the file cannot be read as a trace; the line below the list says why"
      }
    }
  }

  /// The path of the file.
  var path: String
  /// The name of the program; for a file that cannot be read, the name of the file.
  var name: String
  /// The process identifier; nil if it is not known.
  var processID: Int32?
  var state: State
  /// The number of live subscriptions.
  var live: UInt64?
  /// Events per second since the previous refresh; nil before the second refresh, and for a program
  /// that is not running.
  var rate: Double?
  /// The rates at the latest refreshes, the newest last.
  var rates: [Double] = []
  /// The growth of the number of live subscriptions since the latest mark (a moment that the
  /// program has named), or since the first refresh if there is no mark.
  var growth: Int?
  /// What was found in the trace; nil until it has been examined.
  var verdict: TraceVerdict?
  /// When the recording began, in nanoseconds since 1970; 0 if it is not known.
  var startedAt: UInt64
  var byteCount: Int
  /// Why the file cannot be read, as the rest of a sentence that begins with the file; it may
  /// contain control characters.
  var problem: String?

  /// The identifier of the row.
  var id: RowID { .finding(path) }
}

extension PickerRow {
  /// The table of the start screen.
  ///
  /// - Parameters:
  ///   - glyphs: The characters that the terminal can show.
  ///   - now: The current time in nanoseconds since 1970.
  /// - Returns: The table; its first two columns are always shown.
  static func table(_ glyphs: Glyphs, now: UInt64) -> Table<PickerRow> {
    Table(
      [
        .text("program", "what the program is called", ColumnHeading("program", 12, weight: 2)) {
          $0.name
        }
        .emphasis { $0.state == .running ? .strong : .text },
        .number("processID", "the number of its process", ColumnHeading("pid", 7)) { $0.processID }
          .none { $0.processID == nil }
          .emphasis { $0.state == .running ? .strong : .dim },
        .text(
          "state",
          "what became of it; see the words below",
          ColumnHeading("state", 9, priority: 1)
        ) {
          $0.state.rawValue
        }
        .emphasis { role($0.state) },
        .count(
          "live",
          "subscriptions that have not ended; of a recording, at its end",
          ColumnHeading("live", 6, priority: 2)
        ) { $0.live }
        .none { $0.state == .unusable },
        .rate(
          "rate",
          "events per second since the last refresh, while the program runs",
          ColumnHeading("events/s", 8, name: "events", priority: 4)
        ) { $0.rate }
        .none { $0.state != .running }
        .cell { $0.rate == nil ? "" : nil }
        .emphasis { ($0.rate ?? 0) > 0 ? .text : .dim },
        .series(
          "lately",
          "events/s at the latest refreshes, newest at the right; the greatest has full height",
          ColumnHeading("lately", PickerRow.keptRateCount, priority: 6, isSortable: false)
        ) { $0.rates.isEmpty ? nil : Array($0.rates.suffix(keptRateCount)) },
        .change(
          "growth",
          "live subscriptions more or fewer than at the latest mark; without one, than at first",
          ColumnHeading("growth", 6, priority: 5)
        ) { $0.growth }
        .none { $0.growth == nil }
        .emphasis { ($0.growth ?? 0) > 0 ? .suspect : .dim },
        .text(
          "worst",
          "the worst finding in its trace",
          ColumnHeading("worst", 10, weight: 3, priority: 3)
        ) {
          $0.verdict?.words
        }
        .none { $0.verdict.map { $0.words == nil } ?? ($0.state == .unusable) }
        .cell { $0.verdict == nil ? glyphs.ellipsis : nil }
        .rank { $0.verdict.map { Double($0.level?.rawValue ?? -1) } }
        .emphasis { $0.verdict?.level?.role ?? .dim },
        .duration("age", "how long ago it began", ColumnHeading("age", 7, priority: 3)) {
          guard $0.startedAt > 0, now >= $0.startedAt else { return nil }
          return .nanoseconds(Int64(clamping: now - $0.startedAt))
        }
        .none { $0.state == .unusable },
        .number("byteCount", "how long the file is", ColumnHeading("size", 6, priority: 7)) {
          $0.byteCount
        }
        .cell { Quantity.bytes($0.byteCount) }
        .emphasis { _ in .dim },
      ],
      glyphs
    )
  }

  /// The number of refreshes for which ``rates`` are kept, which is also the width of their column.
  static let keptRateCount = 7

  private static func role(_ state: State) -> Role {
    switch state {
    case .running: .good
    case .crashed: .violation
    case .unusable: .suspect
    case .ended, .died, .elsewhere: .gone
    }
  }
}
