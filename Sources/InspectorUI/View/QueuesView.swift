import TraceModel
internal import TraceReading

/// The screen Queues: how long work waits and runs on each scheduler, and which lines of code have
/// events that run on a scheduler other than the one on which their subscription was made.
enum QueuesView: TableScreen {
  static var isQueried: Bool { true }
  static var columns: [Column<QueueRow>] { QueueRow.columns }
  static var defaultSort: SortOrder? { SortOrder(column: "busy", ascending: false) }

  static func rows(_ model: Model) -> [QueueRow] {
    (model.queues?.queues ?? []).map { $0.counted(model.inspection) }
  }

  static func id(_ row: QueueRow) -> RowID { .queue(row.id) }
  static func belongs(_ row: QueueRow, to scope: Scope, in inspection: Inspection) -> Bool {
    scope == .queue(row.id)
  }
  static func subject(of row: QueueRow) -> Scope? { .queue(row.id) }

  /// Detail of the queue, with its running, waiting and recent work.
  static func target(of row: QueueRow, in inspection: Inspection) -> Place? {
    Place(.detail, scope: .queue(row.id))
  }

  static func summary(_ model: Model) -> String {
    guard let report = model.queues else { return "looking at the records" }
    let span = report.span > .zero ? Quantity.duration(report.span) : "moment"
    let crossings =
      report.crossings.isEmpty
      ? ""
      : ", \(Quantity.of(report.crossings.count, "line", "lines")) with events on another queue"
    if report.isWithoutHops { return "unknown: the work of schedulers was not recorded" }
    guard report.isKnown else { return "unknown: records of the last \(span) are missing" }
    return
      "work of the last \(span)\(report.isPartial ? ", as far as it is recorded" : "")\(crossings)"
  }

  static func emptiness(_ model: Model) -> [String] {
    guard model.queues != nil else { return ["Looking at the records …"] }
    return ScreenFrame.reasons(
      [
        "No scheduler has been used yet at this moment of the recording.",
        ScreenFrame.emptyHint(
          model,
          "Rows appear when the program schedules work, as deliver(on:), delay or interval do."
        ),
      ],
      model
    )
  }

  // MARK: Crossings

  /// Draws the crossings and the work of the selected queue below the list.
  ///
  /// A crossing is a line of code with events that ran on a queue other than the one on which their
  /// subscription was made.
  static func explain(_ model: Model, _ frame: inout Frame, _ layout: ScreenLayout) {
    guard layout.explanation.count > 0, let report = model.queues else { return }
    let crossings = crossings(report, model, width: frame.size.columns)
    ListPreview.draw(crossings + ListPreview.lines(model), model, &frame, layout)
  }

  static func crossings(_ report: QueueReport, _ model: Model, width: Int) -> [DocumentLine] {
    if report.isWithoutHops {
      return DocumentLine.paragraph(
        "Neither hops nor single events were recorded in this stretch, as at level 'graph', so nothing is known of how long work took and where it ran. RXTRACE=events records both.",
        width: width,
        indent: 0
      )
    }
    guard report.isKnown else {
      return DocumentLine.paragraph(
        "Records of this stretch are missing, so nothing is known of how long work took and where it ran. Go to a later moment, or record with a larger ring (size=) or mode=stream.",
        width: width,
        indent: 0
      )
    }
    guard !report.crossings.isEmpty else {
      return longestLines(report)
        + DocumentLine.paragraph(verdict(report), width: width, indent: 0, role: .dim)
    }
    return longestLines(report)
      + [.heading("Lines with events on another queue than their subscription was made on")]
      + report.crossings.map { crossing in
        let part = crossing.total > 0 ? 100 * crossing.events / crossing.total : 0
        return DocumentLine([
          (displayName(crossing.name, columns: 60), .strong),
          ("  \(scheduler(crossing.home, report)) \(model.glyphs.hop) ", .dim),
          (crossing.other == 0 ? "another queue" : scheduler(crossing.other, report), .suspect),
          ("  \(crossing.events) of ", .dim),
          ("\(Quantity.of(crossing.total, "event", "events")), \(part)%", .dim),
        ])
      }
  }

  /// For each queue that is busy for a quarter of the time or more, the line of code that took more
  /// than half of it, if there is one.
  private static func longestLines(_ report: QueueReport) -> [DocumentLine] {
    let lines: [DocumentLine] = report.queues.compactMap { queue in
      guard let line = queue.longestLine, (queue.occupancy ?? 0) >= 0.25,
        line.share >= 0.5
      else { return nil }
      return DocumentLine([
        (displayName(line.name, columns: 60), .strong),
        ("  \(Int((line.share * 100).rounded()))% of the time of \(queue.label)", .dim),
      ])
    }
    guard !lines.isEmpty else { return [] }
    let heading = "Where busy queues spent most of their time: this line, or a closure above it"
    return [.heading(heading)] + lines
  }

  /// The conclusion if there are no crossings.
  private static func verdict(_ report: QueueReport) -> String {
    guard report.unknownCount > 0 else {
      if report.isPartial, report.knownCount == 0 {
        return
          "No event was recorded in the parts of this stretch that are there, so nothing is known of where events run."
      }
      return
        "Every event ran on the queue that its subscription was made on, as far as this stretch tells."
    }
    let reason = "the event or the call of subscribe was outside of what schedulers run"
    guard report.knownCount > 0 else {
      return
        "Whether \(Quantity.of(report.unknownCount, "event", "events")) ran on the queue that the subscription was made on is not known: \(reason)."
    }
    return
      "\(Quantity.of(report.knownCount, "event", "events")) ran on the queue that the subscription was made on. For \(Quantity.of(report.unknownCount, "other", "others")) it is not known: \(reason)."
  }

  private static func scheduler(_ row: UInt32, _ report: QueueReport) -> String {
    report.queues.first { $0.id == row }?.label ?? Quantity.unknown
  }
}
