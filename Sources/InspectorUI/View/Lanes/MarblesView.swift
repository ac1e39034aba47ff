import TraceModel

/// The screen Marbles: when events happened, in a lane for each line of code, subscription or
/// timer, on a common time axis.
enum MarblesView {
  // MARK: The question

  static func query(_ model: Model) -> MarbleQuery {
    let stretch = model.place.stretch
    let columns = cellCount(model.size.columns)
    let span = stretch.span ?? fittingSpan(model.inspection)
    let end = stretch.end ?? max(model.inspection.instant.time, .milliseconds(1))
    return MarbleQuery(
      lanes: lanes(model),
      from: max(.zero, end - span),
      span: span,
      columns: columns
    )
  }

  /// The length of the period that is shown by default: that of the part of the recording in which
  /// no record is missing, but at most ten seconds.
  private static func fittingSpan(_ inspection: Inspection) -> Duration {
    let window = inspection.program.exactWindow.map { $0.upperBound - $0.lowerBound }
    let all = max(inspection.program.duration, .milliseconds(1))
    let span = min(window ?? all, .seconds(10))
    // The period must not contain more records than can be read after each key.
    let records = inspection.program.recordCount
    let part = records > Self.recordLimit ? Double(Self.recordLimit) / Double(records) : 1
    return max(.milliseconds(1), min(span, all * part))
  }

  /// The approximate maximum number of records in the period that is shown by default.
  private static let recordLimit = 1 << 19
  /// The maximum number of lanes.
  static let laneLimit = 200

  /// The lanes of the subject (a line of code, signal, subscription or timer) for which the screen
  /// was opened, or else of the tagged subjects, or else of all lines of code in use.
  static func lanes(_ model: Model) -> [MarbleLane] {
    let inspection = model.inspection
    if model.place.scope == .all, !model.tags.isEmpty {
      return Array(model.tags.flatMap { lanes(of: $0, inspection) }.prefix(laneLimit))
    }
    guard model.place.scope == .all else { return lanes(of: model.place.scope, inspection) }
    let busy = inspection.sites.filter { ($0.events ?? 1) > 0 || ($0.live ?? 1) > 0 }
    let order = busy.sorted { left, right in
      let (one, two) = (left.worst?.rawValue ?? -1, right.worst?.rawValue ?? -1)
      if one != two { return one > two }
      let (slow, fast) = (left.rate ?? 0, right.rate ?? 0)
      if slow != fast { return slow > fast }
      // At the end of a recording there are no rates, so the numbers of events decide.
      let (few, many) = (left.events ?? 0, right.events ?? 0)
      return few != many ? few > many : left.id < right.id
    }
    return order.prefix(laneLimit).map { .site($0.id) }
  }

  private static func lanes(of scope: Scope, _ inspection: Inspection) -> [MarbleLane] {
    switch scope {
    case .subscription(let key): return chain(of: key, inspection).map(MarbleLane.subscription)
    case .timer(let key): return [.timer(key)]
    case .site(let site):
      let members = inspection.subscriptionRows.keys(ofSite: site, limit: laneLimit)
      let timers = inspection.timers.filter { $0.site == site }.map(\.key)
      return Array(
        ([.site(site)] + members.map(MarbleLane.subscription) + timers.map(MarbleLane.timer))
          .prefix(laneLimit)
      )
    case .signal(let key):
      return inspection.subscriptions(where: { $0.signal == key }, limit: laneLimit)
        .map(MarbleLane.subscription)
    case .all, .chain, .queue, .owner, .owners, .record: return []
    }
  }

  /// The subscriptions upstream and downstream of a subscription, from the sources to the root.
  private static func chain(of key: EntityKey, _ inspection: Inspection) -> [EntityKey] {
    var upstream: [EntityKey] = []
    func addUpstreams(_ key: EntityKey, _ level: Int) {
      guard level < 24, upstream.count < 64, let row = inspection.subscription(key) else { return }
      for other in row.upstreams where !upstream.contains(other) {
        addUpstreams(other, level + 1)
        upstream.append(other)
      }
    }
    addUpstreams(key, 0)
    var path = upstream + [key]
    var current = key
    while let next = inspection.subscription(current)?.downstream, !path.contains(next),
      inspection.subscription(next) != nil
    {
      path.append(next)
      current = next
    }
    return path
  }

  static func scope(of lane: MarbleLane) -> Scope {
    switch lane {
    case .site(let site): .site(site)
    case .subscription(let key): .subscription(key)
    case .timer(let key): .timer(key)
    }
  }

  // MARK: Positions

  static func labelWidth(_ columns: Int) -> Int { max(12, min(36, columns * 3 / 10)) }

  /// The width of the column at the right that shows the content of the cell at the cursor.
  static func readingWidth(_ columns: Int) -> Int { columns >= 100 ? 16 : 0 }

  static func cellCount(_ columns: Int) -> Int {
    max(8, columns - labelWidth(columns) - readingWidth(columns))
  }

  /// The index of the cell at the cursor.
  static func cursor(_ model: Model, _ query: MarbleQuery) -> Int {
    guard let at = model.place.stretch.cursor else { return query.columns - 1 }
    let part = (at - query.from) / query.span
    return max(0, min(query.columns - 1, Int((part * Double(query.columns)).rounded(.down))))
  }

  static func summary(_ model: Model) -> String {
    let query = query(model)
    let what =
      !model.tags.isEmpty && model.place.scope == .all
      ? "what is tagged"
      : model.place.scope == .all ? "lines of code: what findings accuse, then the busiest" : ""
    let from = MarbleAxis.label(query.from, step: query.cell)
    return "\(what)\(what.isEmpty ? "" : ", ")\(Quantity.duration(query.span)) from \(from)"
  }

  // MARK: Lines

  static func lines(_ model: Model) -> [DocumentLine] {
    guard let chart = model.marbles else {
      return lanes(model).isEmpty ? emptiness(model) : [DocumentLine("Looking at the records …")]
    }
    guard !chart.tracks.isEmpty else { return emptiness(model) }
    let width = labelWidth(model.size.columns)
    let cursor = cursor(model, chart.query)
    return chart.tracks.map { track in
      var pieces: [(String, Role)] = [(label(track.lane, model, width: width), .text)]
      pieces += runs(track, model.glyphs, cursor: cursor)
      if readingWidth(model.size.columns) > 0, track.cells.indices.contains(cursor) {
        pieces.append(("  " + short(track.cells[cursor], model.glyphs), .dim))
      }
      return DocumentLine(pieces, target: Place(.detail, scope: scope(of: track.lane)))
    }
  }

  private static func emptiness(_ model: Model) -> [DocumentLine] {
    DocumentLine.emptiness(
      model.place.scope != .all
        ? [
          "What is selected does not exist at this moment of the recording.",
          "Press Esc to go back, or $ for the newest state.",
        ]
        : ScreenFrame.reasons(
          [
            "No line of code has been used yet.",
            ScreenFrame.emptyHint(
              model,
              "Lanes appear as soon as the program subscribes to a signal."
            ),
          ],
          model
        ),
      width: model.size.columns
    )
  }

  /// The name of a lane, shortened and padded to a width.
  ///
  /// `sites` contains the lines of code (sites) of subscriptions and timers that may have ended.
  static func label(
    _ lane: MarbleLane,
    _ model: Model,
    width: Int,
    _ sites: [EntityKey: UInt32] = [:]
  ) -> String {
    let inspection = model.inspection
    let room = width - 1
    let site = { (key: EntityKey) in sites[key].flatMap(inspection.site).map(\.label) }
    let text: String
    switch lane {
    case .site(let site):
      let row = inspection.site(site)
      // If there is no room for the file, the line number alone is still useful.
      text =
        room < 16
        ? row.map { displayName("\($0.name):\($0.line)", columns: 120) } ?? "site \(site)"
        : row.map(\.label) ?? "site \(site)"
    case .subscription(let key):
      let number = key.label
      let name =
        inspection.subscription(key).map(\.label) ?? site(key) ?? "subscription"
      let head = Fitting.middle(name, max(4, room - number.count - 1), model.glyphs)
      text = head + " " + number
    case .timer(let key):
      let name =
        inspection.timer(key).map { displayName("\($0.name)@\($0.location)", columns: 120) }
        ?? site(key) ?? "timer"
      text =
        Fitting.middle(name, max(4, room - key.label.count - 1), model.glyphs) + " " + key.label
    }
    let fitted = Fitting.middle(text, room, model.glyphs)
    return fitted + String(repeating: " ", count: max(1, width - CellWidth.of(fitted)))
  }

  /// The cells of a track as pieces of text, each with one role.
  private static func runs(_ track: MarbleTrack, _ glyphs: Glyphs, cursor: Int) -> [(String, Role)]
  {
    let signs = MarbleSigns(track, glyphs)
    var runs: [(String, Role)] = []
    for (place, cell) in track.cells.enumerated() {
      var (sign, role) = signs.sign(cell)
      if place == cursor { role = .match }
      if runs.last?.1 == role {
        runs[runs.count - 1].0 += sign
      } else {
        runs.append((sign, role))
      }
      if place == cursor, sign == " " {
        runs[runs.count - 1].0 = String(runs[runs.count - 1].0.dropLast()) + glyphs.cursor
      }
    }
    return runs
  }

  // MARK: Texts

  /// The content of a cell in a few words.
  static func short(_ cell: MarbleCell, _ glyphs: Glyphs) -> String {
    if cell.marks.contains(.failed) { return "failed" }
    if cell.marks.contains(.refused) { return "refused" }
    if cell.marks.contains(.disposed) { return "disposed" }
    if cell.marks.contains(.completed) { return "completed" }
    if cell.values > 0 { return values(cell) }
    if cell.marks.contains(.subscribed) { return "began" }
    if cell.marks.contains(.waiting) { return "waits" }
    switch cell.life {
    case .absent: return glyphs.dash
    case .unknown: return "unknown"
    case .idle: return "idle"
    case .busy: return "busy"
    }
  }

  /// The whole content of a cell; `isLater` says whether its time is after the moment shown.
  static func long(_ track: MarbleTrack, _ place: Int, isLater: Bool) -> String {
    let cell = track.cells[place]
    var words: [String] = []
    if cell.marks.contains(.subscribed) { words.append("it began") }
    if cell.values > 0 { words.append(values(cell)) }
    if cell.marks.contains(.waiting) { words.append("work for it waited on a queue") }
    if cell.marks.contains(.refused) { words.append("an event came too late") }
    if cell.marks.contains(.failed) { words.append("it failed") }
    if cell.marks.contains(.completed) { words.append("it completed") }
    if cell.marks.contains(.disposed) { words.append("it was disposed of") }
    if cell.marks.contains(.lost) { words.append("records were lost") }
    if words.isEmpty {
      switch cell.life {
      case .absent: words.append(isLater ? "later than the moment shown" : absence(track, place))
      case .unknown: words.append("the recording does not tell")
      case .idle: words.append("no event")
      case .busy: words.append("it is delivering or holds values")
      }
    }
    if cell.isPartial { words.append("not every event of this time is recorded") }
    return words.joined(separator: ", ")
  }

  /// Why a cell is empty, as far as the cells around it show that.
  private static func absence(_ track: MarbleTrack, _ place: Int) -> String {
    let wasThere = track.cells[..<place].contains { $0.life != .absent }
    let comes = track.cells[place...].contains { $0.life != .absent }
    return wasThere == comes
      ? "not subscribed at this time" : comes ? "not subscribed yet" : "no longer subscribed"
  }

  /// The number of values in a cell, which is a lower bound if records are missing.
  private static func values(_ cell: MarbleCell) -> String {
    let text = Quantity.of(cell.values, "value", "values")
    return cell.isPartial ? text + " or more" : text
  }

  /// Draws the content of the cell at the cursor, and a legend, below the lanes.
  static func explain(_ model: Model, _ frame: inout Frame, _ layout: ScreenLayout) {
    guard layout.explanation.count > 0 else { return }
    let width = frame.size.columns
    frame.put(
      String(repeating: model.glyphs.rule, count: width),
      row: layout.explanation.lowerBound - 1,
      column: 0,
      role: .dim
    )
    let query = query(model)
    let cursor = cursor(model, query)
    let start = query.start(of: cursor)
    var text =
      "\(MarbleAxis.label(start, step: query.cell)), \(Quantity.duration(query.cell)) a cell"
    if let chart = model.marbles, chart.tracks.indices.contains(model.place.list.index) {
      let track = chart.tracks[model.place.list.index]
      if track.cells.indices.contains(cursor) {
        let name = ScreenFrame.name(scope(of: track.lane), model.inspection)
        text =
          "\(MarbleAxis.label(start, step: query.cell)) + \(Quantity.duration(query.cell))  \(name): \(long(track, cursor, isLater: start > model.inspection.instant.time))"
      }
    }
    let rows = Array(layout.explanation)
    frame.put(Fitting.head(text, width, model.glyphs), row: rows[0], column: 0, role: .strong)
    guard rows.count > 1 else { return }
    frame.put(
      Fitting.head(MarbleSigns.legend(model.glyphs), width, model.glyphs),
      row: rows[1],
      column: 0,
      role: .dim
    )
  }
}
