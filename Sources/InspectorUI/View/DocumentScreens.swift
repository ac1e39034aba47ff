import TraceModel

/// The screens that show lines of text instead of a table: Graph, Marbles, Detail and Help.
enum DocumentScreens {
  /// The lines of the screen on top.
  static func lines(_ model: Model) -> [DocumentLine] {
    guard model.hasInspection || model.place.screen == .help else {
      return [DocumentLine("Reading the trace …")]
    }
    switch model.place.screen {
    case .graph: return model.place.hasLanes ? LanesView.lines(model) : GraphView.lines(model)
    case .marbles: return MarblesView.lines(model)
    case .detail: return DetailView.lines(model)
    case .help:
      return model.place.isUnfolded
        ? HelpView.lines(width: model.size.columns) : HelpView.page(model)
    default: return []
    }
  }

  /// The line above the text of the screen.
  static func summary(_ model: Model) -> String {
    switch model.place.screen {
    case .map: MapView.summary(model)
    case .graph:
      model.place.hasLanes
        ? LanesView.summary(model)
        : "its sources are above, what it feeds is below; Enter goes there"
    case .marbles: MarblesView.summary(model)
    case .help:
      model.place.isUnfolded
        ? "arrows scroll, ? goes back to \(HelpView.about(model).title), Esc closes"
        : "? shows all keys, columns and signs; Esc closes"
    default: ""
    }
  }

  /// The numbers (chains) of the recorded backtraces that the screen on top shows.
  static func chains(_ model: Model) -> [UInt32] {
    guard model.place.screen != .detail else { return DetailView.chains(model) }
    return [ListPreview.chain(model)].filter { $0 != 0 }
  }

  static func draw(_ model: Model, _ frame: inout Frame, _ layout: ScreenLayout) {
    let list = model.place.list
    for (offset, row) in layout.list.enumerated() {
      let index = list.top + offset
      guard model.document.indices.contains(index) else { break }
      draw(model.document[index], &frame, row: row, model.glyphs, matching: model.search)
      if model.place.screen == .detail, model.document[index].target != nil {
        frame.put(model.glyphs.breadcrumb, row: row, column: 0, role: .key)
      }
      if index == list.index, model.place.screen != .help { frame.select(row: row) }
    }
    let below = model.document.count - list.top - layout.list.count
    if below > 0, layout.list.count > 2 {
      let text = " \(below) more \(model.glyphs.below) "
      frame.put(
        text,
        row: layout.list.upperBound - 1,
        column: frame.size.columns - CellWidth.of(text),
        role: .dim
      )
    }
  }

  static func draw(
    _ line: DocumentLine,
    _ frame: inout Frame,
    row: Int,
    _ glyphs: Glyphs,
    matching: String = ""
  ) {
    var column = 0
    for piece in line.pieces {
      let fitted = Fitting.head(piece.text, frame.size.columns - column, glyphs)
      let start = column
      column = frame.put(fitted, row: row, column: column, role: piece.role)
      if !matching.isEmpty, let place = fitted.foldedRange(of: matching) {
        frame.put(
          String(fitted[place]),
          row: row,
          column: start + CellWidth.of(fitted[..<place.lowerBound]),
          role: .match
        )
      }
    }
  }
}
