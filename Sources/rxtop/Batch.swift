internal import InspectorKit
internal import ReactiveTrace

/// rxtop without a terminal: one look, printed.
struct Batch {
  let path: String
  let isJSON: Bool
  let screen: Screen
  let filter: String
  let glyphs: Glyphs
  let palette: Palette?

  func run() throws {
    var source = try TraceSource(path: path)
    let inspection = try source.inspection(at: .end)
    if isJSON {
      Output.write(InspectionJSON.text(inspection))
      return
    }
    let columns = Output.isTerminal(1) ? Output.columns : max(120, Output.columns)
    Output.write(
      OnceText(screen: screen, filter: filter, columns: columns, glyphs: glyphs, palette: palette)
        .render(inspection)
    )
  }
}
