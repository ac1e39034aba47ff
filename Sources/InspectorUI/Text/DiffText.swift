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

  /// The default moment to compare with: the first mark, or else the beginning.
  public static func firstMoment(_ inspection: Inspection) -> Position {
    inspection.marks.first.map { .mark($0.id) } ?? .time(.zero)
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
