import TraceModel

extension Model {
  /// Moves the cursor by a number of cells; at an edge, the visible period moves too.
  mutating func moveCursor(_ cells: Int) {
    let query = MarblesView.query(self)
    let cell = query.cell
    let end = query.from + query.span
    var cursor = MarblesView.cursor(self, query) + cells
    if cursor < 0 {
      let earlier = max(query.span, end - cell * 8)
      place.stretch.end = earlier
      cursor += Int(((end - earlier) / cell).rounded())
    } else if cursor >= query.columns {
      let newest = inspection.instant.time
      guard end < newest else {
        place.stretch.cursor = nil
        showNote("The lanes end at the moment shown; . and $ go to a later one.")
        return
      }
      let later = min(newest, end + cell * 8)
      place.stretch.end = later
      cursor -= Int(((later - end) / cell).rounded())
    } else {
      // With a fixed end, the visible period no longer follows the instant shown.
      place.stretch.end = end
    }
    let start = (place.stretch.end ?? end) - query.span
    place.stretch.cursor =
      start + query.span * max(0, min(cursor, query.columns - 1)) / query.columns + cell / 2
  }

  /// Doubles or halves the visible period around the cursor.
  mutating func zoom(by step: Int) {
    guard place.screen == .marbles else {
      showNote("= and _ work on Marbles and Map; a and M show these.")
      return
    }
    let query = MarblesView.query(self)
    let cursor = MarblesView.cursor(self, query)
    let at = place.stretch.cursor ?? query.start(of: cursor)
    let longest = max(.seconds(1), inspection.program.duration) * 2
    let span = step > 0 ? query.span * 2 : query.span / 2
    guard span >= .microseconds(query.columns), span <= longest else {
      showNote(
        step > 0
          ? "The whole recording is shown." : "A cell is a microsecond, the shortest there is."
      )
      return
    }
    place.stretch.span = span
    guard place.stretch.cursor != nil else { return }
    let part = query.columns == 0 ? 0.5 : Double(cursor) / Double(query.columns)
    let end = at + span * (1 - part)
    place.stretch.end = max(min(end, max(inspection.instant.time, span)), span / 8)
  }

  /// Shows the whole recording, in a period that ends at the instant shown and follows it.
  mutating func zoomAll() {
    guard place.screen == .marbles else {
      showNote("0 works on Marbles and Map; a and M show these.")
      return
    }
    place.stretch = Stretch(span: max(inspection.program.duration, .milliseconds(1)))
  }

  /// Opens the events of the selected lane at the cursor; if there are none, opens Detail of the
  /// lane.
  mutating func openCell() -> [Effect] {
    let query = MarblesView.query(self)
    let cursor = MarblesView.cursor(self, query)
    guard let chart = marbles, chart.tracks.indices.contains(place.list.index) else {
      showNote("There is no lane to open.")
      return []
    }
    let track = chart.tracks[place.list.index]
    let scope = MarblesView.scope(of: track.lane)
    guard track.cells.indices.contains(cursor), let event = track.cells[cursor].event else {
      path.append(Place(.detail, scope: scope))
      return []
    }
    path.append(Place(.events, scope: scope))
    return go(to: .event(event))
  }
}
