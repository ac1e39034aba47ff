internal import InspectorUI
internal import ReactiveTrace
internal import TraceExports
internal import TraceFindings
import TraceModel

/// Prints one screen, for `--once` and `--json`.
struct Batch {
  let path: String
  let isJSON: Bool
  let screen: Screen
  let filter: String
  let sort: String?
  let limit: Int?
  let glyphs: Glyphs
  let palette: Palette?

  func run() throws {
    var source = try TraceSource(path: path)
    var inspection = try source.inspection(at: .end)
    if isJSON {
      if !filter.isEmpty || sort != nil || limit != nil {
        inspection.narrow(to: screen, filter: filter, sort: sort, limit: limit)
      }
      Output.write(InspectionJSON.text(inspection))
      return
    }
    let columns = Output.isTerminal(1) ? Output.columns : max(120, Output.columns)
    let text = BatchText(
      screen: screen,
      filter: filter,
      sort: sort,
      limit: limit,
      columns: columns,
      glyphs: glyphs,
      palette: palette
    )
    try text.write(inspection, query: { try source.query($0) }) { Output.write($0) }
  }
}
