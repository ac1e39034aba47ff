import GraphLayout
import TraceModel

/// The screen Map: the whole program, from its sources on the left to its subscriptions on the
/// right.
enum MapView {
  /// The picture that a model shows, in which nodes keep their previous positions if possible.
  static func picture(_ model: Model, after before: MapPicture?) -> MapPicture? {
    guard model.hasInspection else { return nil }
    let state = model.place.map
    let room = model.layout.list.count
    let origin = MapPicture.Origin(
      inspectionNumber: model.inspectionCount,
      focus: state.focus,
      folding: state.folding,
      showsEnded: state.showsEnded,
      filter: model.filter.text,
      style: state.style,
      query: model.queryState.count,
      room: Size(columns: model.size.columns, rows: room)
    )
    if let before, before.origin == origin { return before }
    let matching = RowMatching(SitesView.table(model.glyphs), model.filter)
    var hidden = 0
    var map = map(model, state.folding) { row in
      let isWanted = model.filter.isEmpty || matching.admits(row)
      if !isWanted { hidden += 1 }
      return isWanted
    }
    if let focus = state.focus { map = map.around(focus) }
    return MapPicture(map, model.inspection, after: before, origin, hiddenLines: hidden)
  }

  /// The map that a model shows, folded as given and without the lines that `isWanted` rejects.
  static func map(
    _ model: Model,
    _ folding: MapFolding,
    where isWanted: (SiteRow) -> Bool = { _ in true }
  ) -> ProgramMap {
    ProgramMap(
      model.inspection,
      folding,
      flow: model.flow,
      ended: model.place.map.showsEnded || (model.isRunning && model.isFollowing) ? .all : .accused,
      where: isWanted
    )
  }

  /// The period in which events are counted.
  ///
  /// It begins at the moment that the key D has set, if that is earlier than the instant shown.
  /// Otherwise it covers the part of the recording in which no record is missing; while the program
  /// runs, at most the last ten seconds.
  static func stretch(_ model: Model) -> Range<Duration> {
    let now = model.inspection.instant.time
    if let start = model.comparedFrom, start < now { return start..<now }
    let known = model.inspection.program.exactWindow?.lowerBound ?? .zero
    let start = model.isRunning ? max(known, now - .seconds(10)) : known
    return min(start, now)..<now
  }

  // MARK: Drawing

  static func draw(_ model: Model, _ frame: inout Frame, _ layout: ScreenLayout) {
    guard let picture = model.picture, !picture.map.nodes.isEmpty else {
      return ScreenFrame.drawEmptiness(emptiness(model), &frame, layout, hasExplanation: false)
    }
    let state = model.place.map
    var view = Frame(
      size: Size(columns: frame.size.columns, rows: layout.list.count),
      glyphs: model.glyphs
    )
    draw(model, picture, &view, state)
    frame.paste(view, row: layout.list.lowerBound)
    drawMore(picture, state, &frame, layout, model.glyphs)
    drawPreview(model, picture, &frame, layout)
  }

  /// The whole map at its full width, with nothing selected.
  static func whole(_ model: Model) -> Frame? {
    guard let picture = model.picture, !picture.map.nodes.isEmpty else { return nil }
    var state = model.place.map
    (state.selected, state.top, state.left) = (nil, 0, 0)
    let size = Size(
      columns: picture.layout.columns,
      rows: picture.layout.rows + (MapLanes(picture) == nil ? 0 : MapLanes.rows)
    )
    var view = Frame(size: size, glyphs: model.glyphs)
    draw(model, picture, &view, state)
    return view
  }

  private static func draw(
    _ model: Model,
    _ picture: MapPicture,
    _ view: inout Frame,
    _ state: MapState
  ) {
    drawEdges(picture, &view, state, model.glyphs)
    if model.timeState == .live {
      MapFlow.draw(&view, picture, state, pulse: model.pulse, model.glyphs)
    }
    let lanes = MapLanes(picture)
    lanes?.draw(&view, picture, state, model.glyphs)
    let hops = Set(picture.map.edges.filter(\.isHop).map(\.to))
    for node in picture.map.nodes.indices {
      let cells = picture.cells(of: node)
      guard cells.rows.upperBound > state.top, cells.columns.upperBound > state.left,
        cells.rows.lowerBound < state.top + view.size.rows,
        cells.columns.lowerBound < state.left + view.size.columns
      else { continue }
      let id = picture.map.nodes[node].id
      MapNodeView(
        account: picture.accounts[node],
        glyphs: model.glyphs,
        isSelected: id == state.selected,
        isFold: picture.map.nodes[node].isFolded,
        isHop: hops.contains(node),
        parts: picture.map.nodes[node].sites.last.flatMap { model.flow?.parts[$0] } ?? [],
        search: model.search
      ).draw(
        &view,
        row: cells.rows.lowerBound - state.top,
        column: cells.columns.lowerBound - state.left,
        width: cells.columns.count,
        picture.style
      )
    }
  }

  /// Draws the connections, and highlights those of the selected node.
  private static func drawEdges(
    _ picture: MapPicture,
    _ view: inout Frame,
    _ state: MapState,
    _ glyphs: Glyphs
  ) {
    let selected = picture.place(of: state.selected)
    var isNear: Set<Int> = []
    for (edge, connection) in picture.map.edges.enumerated()
    where connection.from == selected || connection.to == selected {
      // A node that feeds itself has a connection that is not drawn.
      let net = picture.layout.routes[edge].net
      if net >= 0 { isNear.insert(net) }
    }
    let rows = state.top..<(state.top + view.size.rows)
    let columns = state.left..<(state.left + view.size.columns)
    let canvas = EdgeCanvas(picture.layout, columns: columns, rows: rows)
    for row in rows {
      for column in columns {
        let cell = canvas[column: column, row: row]
        guard !cell.directions.isEmpty || cell.arrowHead != nil else { continue }
        let isMarked = isNear.contains(cell.horizontalNet) || isNear.contains(cell.verticalNet)
        view.put(
          String(cell.character(ascii: glyphs == .ascii)),
          row: row - state.top,
          column: column - state.left,
          role: isMarked ? .strong : .dim
        )
      }
    }
    // Connections that end at the same cell share one count.
    var counts: [GraphLayout.Point: (count: UInt64, edge: Int)] = [:]
    for (edge, connection) in picture.map.edges.enumerated()
    where connection.carried > 0 && (connection.from == selected || connection.to == selected) {
      guard let end = picture.layout.routes[edge].points.last else { continue }
      counts[end, default: (0, edge)].count += connection.carried
    }
    for (count, edge) in counts.values {
      drawCount(count, picture.layout.routes[edge], &view, state)
    }
  }

  /// Draws the number of events of connections with a common end, if their last piece is horizontal
  /// and long enough.
  private static func drawCount(
    _ count: UInt64,
    _ route: GraphLayout.Route,
    _ view: inout Frame,
    _ state: MapState
  ) {
    let text = Quantity.count(count)
    let points = route.points
    guard points.count > 1 else { return }
    let last = (points[points.count - 2], points[points.count - 1])
    let (start, end) = (min(last.0.column, last.1.column), max(last.0.column, last.1.column))
    guard last.0.row == last.1.row, end - start >= CellWidth.of(text) + 2 else { return }
    view.put(
      text,
      row: last.1.row - state.top,
      column: end - CellWidth.of(text) - state.left,
      role: .message
    )
  }

  /// Draws how many nodes are outside of the screen, and on which sides.
  private static func drawMore(
    _ picture: MapPicture,
    _ state: MapState,
    _ frame: inout Frame,
    _ layout: ScreenLayout,
    _ glyphs: Glyphs
  ) {
    var counts = (above: 0, below: 0, left: 0, right: 0)
    for node in picture.map.nodes.indices {
      let cells = picture.cells(of: node)
      if cells.rows.lowerBound >= state.top + layout.list.count { counts.below += 1 }
      if cells.rows.upperBound <= state.top { counts.above += 1 }
      // A node that is cut off at the left or right edge is counted as outside.
      if cells.columns.upperBound > state.left + frame.size.columns { counts.right += 1 }
      if cells.columns.lowerBound < state.left { counts.left += 1 }
    }
    let parts = [
      (counts.left, "to the left"), (counts.right, "to the right"), (counts.above, glyphs.above),
      (counts.below, glyphs.below),
    ].filter { $0.0 > 0 }.map { "\(Quantity.count($0.0)) \($0.1)" }
    guard !parts.isEmpty, layout.list.count > 2 else { return }
    let text = " more: \(parts.joined(separator: ", ")) "
    frame.put(
      text,
      row: layout.list.upperBound - 1,
      column: max(0, frame.size.columns - CellWidth.of(text)),
      role: .dim
    )
  }

  // MARK: Texts

  /// The line above the map.
  static func summary(_ model: Model) -> String {
    guard let picture = model.picture else { return "" }
    let map = picture.map
    var text = Quantity.of(map.lineCount, "line", "lines") + " of code"
    if map.nodes.contains(where: \.isFolded) {
      text += " in \(Quantity.of(map.nodes.count, "node", "nodes"))"
      switch map.level {
      case .lines: break
      case .files: text += " by file (z unfolds one)"
      case .modules: text += " by module (z unfolds one)"
      }
    }
    text += ", \(Quantity.of(picture.live, "live subscription", "live subscriptions"))"
    if map.isPast {
      text += "; nothing is connected any more: the map shows how it was"
    } else if map.endedCount > 0 {
      text += "; \(Quantity.of(map.endedCount, "ended line", "ended lines")) left out"
      let hint = fullerMark(model, live: picture.live).map { ": E shows them, \($0)" } ?? " (E)"
      text += CellWidth.of(text + hint) <= model.size.columns ? hint : " (E)"
    } else if model.place.map.showsEnded {
      text += "; what has ended is ×0"
    }
    if let module = model.place.map.folding.module {
      text += "; modules other than \(displayName(module, columns: 40)) are folded"
    }
    if picture.hiddenLines > 0 {
      text += "; \(Quantity.of(picture.hiddenLines, "line", "lines")) filtered away"
    }
    if let focus = picture.place(of: model.place.map.focus) {
      text +=
        "; only what reaches \(displayName(picture.accounts[focus].name, columns: 40)), or is reached from it"
    }
    return text
  }

  /// How to go back to the last named mark of a program that has ended, if more subscriptions lived
  /// there; nil otherwise.
  private static func fullerMark(_ model: Model, live: Int) -> String? {
    guard !model.isRunning, model.inspection.instant.isEnd, model.place.map.folding.module == nil,
      let mark = model.inspection.marks.last(where: { !$0.name.isEmpty }),
      mark.liveSubscriptions > UInt64(max(0, live))
    else { return nil }
    let name = "'\(displayName(mark.name, columns: 24))'"
    let isLast = mark.id == model.inspection.marks.last?.id && model.bookmarks.isEmpty
    return isLast ? "b goes back to \(name)" : "T and its name go back to \(name)"
  }

  static func emptiness(_ model: Model) -> [String] {
    guard model.hasInspection else { return ["Reading the trace …"] }
    if let picture = model.picture, picture.hiddenLines > 0 {
      return [
        "None of \(Quantity.of(picture.hiddenLines, "line", "lines")) of code passes the filter '\(model.filter.text)'.",
        "Press \\ and Enter on an empty line to show them all.",
      ]
    }
    let ever = model.inspection.sites.count { ($0.everOfKind ?? 0) > 0 }
    if ever > 0 {
      return [
        "Nothing is alive at this moment of the recording.",
        "Press [ to go back to the change before, or s for the \(Quantity.of(ever, "line", "lines")) of code that were.",
      ]
    }
    return ScreenFrame.reasons(
      [
        "No operator has been used yet at this moment of the recording.",
        ScreenFrame.emptyHint(
          model,
          "The map appears as soon as the program subscribes to a signal."
        ),
      ],
      model
    )
  }

  // MARK: Preview

  /// Draws, below the map, what is known about the selected node.
  private static func drawPreview(
    _ model: Model,
    _ picture: MapPicture,
    _ frame: inout Frame,
    _ layout: ScreenLayout
  ) {
    guard let node = picture.place(of: model.place.map.selected) else { return }
    ListPreview.draw(MapPreview.lines(picture.map.nodes[node], model), model, &frame, layout)
  }
}
