import TraceModel

/// Draws one node of the map.
struct MapNodeView {
  let account: MapAccount
  let glyphs: Glyphs
  let isSelected: Bool
  let isFold: Bool
  /// Whether events reach the node from another scheduler.
  let isHop: Bool
  /// The number of events in each of several equal parts of the examined period, the latest last;
  /// empty if the numbers are not known.
  let parts: [UInt32]
  /// The text that the user searches for.
  let search: String

  // MARK: Signs

  /// The worst finding, or else growth, failures or silence of the node, with the role of the text.
  var sign: (text: String, role: Role)? {
    if let worst = account.worst, worst >= .suspect { return (worst.label, worst.role) }
    if account.growth > 0 { return ("+\(account.growth)", .suspect) }
    if account.failed > 0 {
      return ("failed \(Quantity.count(account.failed))", .suspect)
    }
    if let age = account.lastEventAge, age > Self.silence, (account.live ?? 0) > 0 {
      return ("silent \(Quantity.duration(age))", .dim)
    }
    return nil
  }

  /// The separator between the operators of a chain.
  private static let fold = " › "

  /// Silence is shown if the last event is older than this.
  private static let silence = Duration.seconds(5)

  var role: Role {
    if let worst = account.worst, worst >= .suspect { return worst.role }
    return account.live == 0 ? .gone : .text
  }

  /// The number of live subscriptions, such as `×28`; empty for a single one.
  var count: String {
    guard let live = account.live else { return Quantity.unknown }
    return live == 1 ? "" : "\(glyphs.times)\(Quantity.count(live))"
  }

  /// The tag that the user gave the line, such as `[slow]`.
  private var tag: String? { account.tag.map { "[\(displayName($0, columns: 24))]" } }

  /// The rate of events, followed by a sparkline of recent events, such as `12/s ▂▃▅`.
  var flow: String {
    // Each bar of the sparkline stands for two parts, because there is room for only eight bars.
    let signs = Sparkline.text(parts, glyphs, each: 2)
    guard (account.rate ?? 0) > 0 || !signs.isEmpty else { return "" }
    let rate = account.rate.map { "\(Quantity.rate($0))/s" } ?? ""
    return [rate, signs].filter { !$0.isEmpty }.joined(separator: " ")
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, row: Int, column: Int, width: Int, _ style: MapStyle) {
    switch style {
    case .boxes: drawBox(&frame, row, column, width)
    case .lines: drawLine(&frame, row, column, width)
    }
    guard isSelected else { return }
    for line in row..<(row + style.height) {
      frame.select(row: line, columns: column..<(column + width))
    }
  }

  private func drawBox(_ frame: inout Frame, _ row: Int, _ column: Int, _ width: Int) {
    let edge: Role = role == .text || role == .gone ? .dim : role
    let inner = width - 2
    let box = glyphs.box
    func line(_ left: String, _ right: String, _ row: Int) {
      frame.put(
        left + String(repeating: box.horizontal, count: inner) + right,
        row: row,
        column: column,
        role: edge
      )
    }
    line(box.topLeft, box.topRight, row)
    line(box.bottomLeft, box.bottomRight, row + 3)
    for offset in 1...2 {
      frame.put(
        isHop ? box.border : box.vertical,
        row: row + offset,
        column: column,
        role: isHop ? .suspect : edge
      )
      frame.put(box.vertical, row: row + offset, column: column + width - 1, role: edge)
    }
    var left = column + 2
    if let sign {
      left = frame.put(
        " \(Fitting.head(sign.text, inner - 4, glyphs)) ",
        row: row,
        column: column + 1,
        role: sign.role
      )
    }
    if isHop, let scheduler = account.scheduler {
      let room = column + width - 2 - left
      let text =
        " \(glyphs.hop) \(Fitting.head(displayName(scheduler, columns: 24), max(0, room - 5), glyphs)) "
      if room >= 8 {
        frame.put(text, row: row, column: column + width - 1 - CellWidth.of(text), role: .suspect)
      }
    }
    let count = count
    let room = inner - (count.isEmpty ? 0 : CellWidth.of(count) + 1)
    put(&frame, name(room), row + 1, column + 1, role == .text ? .strong : role)
    frame.put(count, row: row + 1, column: column + width - 1 - CellWidth.of(count), role: .strong)
    put(&frame, fitted(account.place, inner), row + 2, column + 1, .site)
    let flow = flow
    if !flow.isEmpty, CellWidth.of(flow) + 4 <= inner {
      frame.put(" \(flow) ", row: row + 3, column: column + 1, role: .good)
    }
    guard let tag else { return }
    let text = Fitting.head(tag, inner, glyphs)
    // The user's tag covers the figures if there is not enough room for both.
    frame.put(text, row: row + 3, column: column + width - 1 - CellWidth.of(text), role: .strong)
  }

  private func drawLine(_ frame: inout Frame, _ row: Int, _ column: Int, _ width: Int) {
    var right = column + width
    let count = count
    if !count.isEmpty {
      right -= CellWidth.of(count)
      frame.put(count, row: row, column: right, role: .strong)
      right -= 1
    }
    var start = column
    if let worst = account.worst, worst >= .suspect {
      start = frame.put(worst.sign, row: row, column: start, role: worst.role)
    } else if isHop {
      start = frame.put(glyphs.box.border, row: row, column: start, role: .suspect)
    } else if account.growth > 0 {
      start = frame.put("+", row: row, column: start, role: .suspect)
    }
    if let tag {
      let text = Fitting.head(tag, (right - start) / 2, glyphs)
      right -= CellWidth.of(text)
      frame.put(text, row: row, column: right, role: .strong)
      right -= 1
    }
    let room = right - start
    let place = CellWidth.of(displayName(account.shortPlace, columns: 120))
    let name = name(max(6, room * 2 / 5, room - place - 1))
    start = put(&frame, name, row, start, role == .text ? .strong : role)
    let rest = right - start - 1
    if rest >= 4 {
      start = put(&frame, fitted(account.shortPlace, rest), row, start + 1, .site)
    }
    if isHop, let scheduler = account.scheduler {
      let text = " \(glyphs.hop) \(displayName(scheduler, columns: 24))"
      if CellWidth.of(text) < right - start {
        frame.put(text, row: row, column: start, role: .suspect)
      }
    }
  }

  private func name(_ width: Int) -> String {
    let name = displayName(account.name, columns: 120)
    guard isFold else { return Fitting.head(name, width, glyphs) }
    let parts = name.split(separator: Self.fold)
    // In so little room, an ellipsis in the middle would make the first and the last name
    // unreadable, so only the first is shown.
    guard parts.count > 1, CellWidth.of(name) > width, width < 20 else {
      return Fitting.middle(name, width, glyphs)
    }
    let more = " +\(parts.count - 1)"
    return Fitting.head(String(parts[0]), width - CellWidth.of(more), glyphs) + more
  }

  private func fitted(_ place: String, _ width: Int) -> String {
    Fitting.middle(displayName(place, columns: 120), width, glyphs)
  }

  /// Writes text with its first match of the search highlighted, and returns the column after it.
  @discardableResult
  private func put(
    _ frame: inout Frame,
    _ text: String,
    _ row: Int,
    _ column: Int,
    _ role: Role
  ) -> Int {
    let end = frame.put(text, row: row, column: column, role: role)
    if !search.isEmpty, let place = text.foldedRange(of: search) {
      frame.put(
        String(text[place]),
        row: row,
        column: column + CellWidth.of(text[..<place.lowerBound]),
        role: .match
      )
    }
    return end
  }
}
