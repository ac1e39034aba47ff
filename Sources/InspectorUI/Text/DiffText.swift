import TraceExports
public import TraceModel
import TraceReading

/// A comparison as text or JSON, as `rxtop diff` prints it.
public struct DiffText: Sendable {
  private let columns: Int
  private let filter: String
  private let sort: String?
  private let limit: Int?
  private let glyphs: Glyphs
  private let palette: Palette?
  private let showsAll: Bool

  /// Creates a comparison with the width of the output and the filter, order and limit of its rows.
  ///
  /// With `showsAll`, a comparison of two traces includes the lines of code that do not differ.
  public init(
    columns: Int,
    filter: String = "",
    sort: String? = nil,
    limit: Int? = nil,
    glyphs: Glyphs = .utf8,
    palette: Palette? = nil,
    showsAll: Bool = false
  ) {
    self.columns = max(40, columns)
    self.filter = filter
    self.sort = sort
    self.limit = limit
    self.glyphs = glyphs
    self.palette = palette
    self.showsAll = showsAll
  }

  /// The names of the columns by which the rows can be sorted, in a comparison of two traces or of
  /// two moments.
  public static func sortableColumns(ofTraces: Bool) -> [String] {
    ofTraces ? DiffView.runTable(.utf8).sortable.map(\.name) : Screen.diff.sortableColumns
  }

  /// Whether `--sort` accepts this order.
  public static func canSort(by text: String, ofTraces: Bool) -> Bool {
    ofTraces
      ? SortOrder(text, in: DiffView.runTable(.utf8).sortable) != nil
      : Screen.diff.canSort(by: text)
  }

  /// The default moment to compare with: the first mark that the program has named, or else the
  /// first that the recorder has set by itself, or else the beginning.
  public static func firstMoment(_ inspection: Inspection) -> Position {
    DiffView.firstMark(inspection).map { .mark($0.id) } ?? .time(.zero)
  }

  /// The mark to compare up to by default, instead of the end: the last one that the program has
  /// named, if the recording was stopped cleanly and fewer subscriptions are live at its end than
  /// at this mark, because a program that ends cleanly often releases everything first.
  ///
  /// Nil if the end is to be compared, or if the moment to compare with is not before the mark.
  package static func lastMark(_ end: Inspection, after start: Duration) -> MarkRow? {
    guard end.program.status == .stopped, !end.program.hasDied, end.program.earlyEnd == nil,
      end.instant.isEnd, let mark = end.marks.last(where: { !$0.name.isEmpty }),
      mark.time > start, UInt64(max(0, end.liveSubscriptions)) < mark.liveSubscriptions
    else { return nil }
    return mark
  }

  /// Which moments are compared if they are not both named, and why; nil if that needs no
  /// explanation.
  ///
  /// - Parameters:
  ///   - end: The end of the trace.
  ///   - isFromDefault: Whether the earlier moment is the default.
  ///   - last: The later moment, if it is ``lastMark(_:after:)``.
  package func choice(_ end: Inspection, isFromDefault: Bool, last: MarkRow?) -> String? {
    let first = isFromDefault ? DiffView.firstMark(end) : nil
    func quoted(_ mark: MarkRow) -> String { "'\(displayName(mark.name, columns: 30))'" }
    var parts =
      first.map {
        [
          $0.name.isEmpty
            ? "from the first automatic mark" : "from the first named mark, \(quoted($0))"
        ]
      } ?? []
    if let last {
      parts.append(
        "up to the last named mark, \(quoted(last)), because fewer subscriptions are live at the end of this recording, which was stopped cleanly"
      )
    }
    guard !parts.isEmpty else { return nil }
    let text = "Compared \(parts.joined(separator: ", ")); --from and --to choose other moments."
    return Fitting.wrap(glyphs.text(text), columns).joined(separator: "\n") + "\n"
  }

  private func model(_ after: Inspection, _ base: SiteBase) -> Model {
    var settings = Settings()
    if let sort { settings.sort[.diff] = sort }
    var model = Model(
      size: Size(columns: columns, rows: 10),
      glyphs: glyphs,
      screen: .diff,
      filter: filter,
      otherTrace: base,
      settings: settings
    )
    _ = model.update(.inspection(after, at: .end))
    return model
  }

  /// The summary and the rows; in a comparison of two traces, lists of what got worse and better
  /// come first.
  ///
  /// - Parameters:
  ///   - after: The later state.
  ///   - base: The state to compare with: an earlier one, or that of another trace.
  /// - Returns: Lines ended by newlines.
  public func render(_ after: Inspection, _ base: SiteBase) -> String {
    if base.isOtherTrace { return runs.render(after, base) }
    let model = model(after, base)
    let output = ANSIText(palette: palette)
    let rows = DiffRow.rows(after, since: base)
    var text = DiffView.counts(rows, after, since: base) + "\n"
    if let reason = DiffView.reason(rows, after) {
      text += Fitting.wrap(glyphs.text(reason), columns).joined(separator: "\n") + "\n"
    }
    for loss in after.program.losses {
      text += "LOST: \(displayName(loss, columns: 400))\n"
    }
    if model.rows.count > 0 {
      text += DiffView.renderAll(model, columns: columns, limit: limit, output)
    } else if model.rows.total > 0 {
      text += "No row passes the filter.\n"
    }
    return text
  }

  private var runs: RunDiffText {
    RunDiffText(
      columns: columns,
      filter: filter,
      sort: sort,
      limit: limit,
      glyphs: glyphs,
      palette: palette,
      showsAll: showsAll
    )
  }

  /// The comparison as JSON, ended by a newline; `Documentation/JSON.md` describes it.
  public func json(_ after: Inspection, _ base: SiteBase) -> String {
    var json = JSONWriter()
    json.object { json in
      json.object("schema") { json in
        json.field("name", "rxtop-diff")
        json.field("version", 1)
      }
      json.field("base", base.name)
      json.field("baseTime", base.time)
      json.field("time", after.instant.time)
      let memory = DiffView.memoryChange(after, since: base)
      json.field("heapChange", memory?.heap)
      json.field("residentChange", memory?.resident)
      json.field("memoryBaseTime", memory == nil ? nil : base.memory?.time)
      json.field("memoryTime", memory == nil ? nil : after.memory?.time)
      if base.isOtherTrace { return runs.write(after, base, to: &json) }
      let model = model(after, base)
      let rows = DiffView.rows(model)
      json.rows("rows", DiffRow.columns, model.rows.places.prefix(limit ?? .max).map { rows[$0] })
    }
    return json.text + "\n"
  }
}
