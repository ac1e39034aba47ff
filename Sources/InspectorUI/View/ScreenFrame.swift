import TraceModel
internal import TraceReading

/// The parts that all screens share: the title, the view bar, the summary, and the footer.
enum ScreenFrame {
  /// Draws the program, its state and the time on the left, and as many of the ``facts(_:)`` as fit
  /// on the right.
  static func drawTitle(_ model: Model, _ frame: inout Frame, row: Int) {
    let program = model.inspection.program
    let width = frame.size.columns
    let name = displayName(program.name.isEmpty ? "rxtop" : program.name, columns: 24)
    var column = frame.put(name, row: row, column: 0, width: max(8, width / 3), role: .title)
    if program.processID != 0 {
      column = frame.put(" \(program.processID)", row: row, column: column, role: .dim)
    }
    let (sign, word, role) = state(model)
    column = frame.put("  \(sign) \(word)", row: row, column: column, role: role)
    column = frame.put(
      "  \(Quantity.moment(model.inspection.instant.time))",
      row: row,
      column: column,
      role: .strong
    )

    var right = width
    for (text, role) in facts(model) {
      let start = right - CellWidth.of(text)
      // A loss is shown even if it covers text on the left.
      guard start >= column + 2 || role == .loss else { continue }
      frame.put(text, row: row, column: start, role: role)
      right = start - 2
    }
  }

  /// The texts on the right of the title, most important first.
  private static func facts(_ model: Model) -> [(String, Role)] {
    guard model.hasInspection else { return [] }
    let program = model.inspection.program
    var facts: [(String, Role)] = []
    if program.isIncomplete || !program.losses.isEmpty {
      facts.append((model.size.columns < 60 ? " LOST " : " LOST DATA ", .loss))
    }
    if !model.inspection.instant.isExact { facts.append(("partly unknown", .suspect)) }
    facts.append(("level \(displayName(program.levelText, columns: 40))", .dim))
    if let window = program.exactWindow, !program.isIncomplete {
      let what = program.parts.hasEveryEvent ? "complete" : "lifetimes"
      facts.append(
        ("\(what): last \(Quantity.duration(window.upperBound - window.lowerBound))", .dim)
      )
    }
    if let sizeHint = program.reachText { facts.append((sizeHint, .dim)) }
    return facts
  }

  private static func state(_ model: Model) -> (String, String, Role) {
    let glyphs = model.glyphs
    guard model.hasInspection else { return (glyphs.dash, "reading", .dim) }
    if model.isPlaying {
      return (glyphs.play, "replay \(Model.playbackName(model.speed))", .good)
    }
    switch model.timeState {
    case .live: return (glyphs.live, "live", .good)
    case .paused: return (glyphs.pause, "paused", .suspect)
    case .replay: return (glyphs.pause, "replay paused", .suspect)
    case .ended:
      let state = model.inspection.program.state
      return (glyphs.dash, state.rawValue, state == .crashed ? .violation : .gone)
    }
  }

  /// A screen in the view bar, with its position.
  struct BarSegment {
    var screen: Screen
    var key: String
    /// The title; empty if there is no room for it.
    var title: String
    var columns: Range<Int>
    /// The number of blanks before the key.
    var padding: Int
    var isActive: Bool
  }

  /// The keys and titles of the screens; if there is little room, only the open screen has its
  /// title.
  static func barSegments(_ model: Model) -> [BarSegment] {
    let active = model.path.last { Screen.inBar.contains($0.screen) }?.screen
    let findings = model.inspection.findings.count
    let width = model.size.columns
    func title(_ screen: Screen) -> String {
      screen == .findings && findings > 0 ? "\(screen.title) \(findings)" : screen.title
    }
    func segments(padding: Int, _ title: (Screen, Bool) -> String) -> [BarSegment] {
      var column = 0
      return Screen.inBar.map { screen in
        let isActive = screen == active && model.place.screen != .help
        let key = KeyTable.key(for: screen)?.name ?? ""
        var text = title(screen, isActive)
        if text.isEmpty, screen == .findings, findings > 0 { text = "\(findings)" }
        let end = column + key.count + padding + (text.isEmpty ? 1 : CellWidth.of(text) + 2)
        defer { column = end }
        return BarSegment(
          screen: screen,
          key: key,
          title: text,
          columns: column..<end,
          padding: padding,
          isActive: isActive
        )
      }
    }
    let full = segments(padding: 1) { screen, _ in title(screen) }
    if let last = full.last, last.columns.upperBound <= width { return full }
    let short = segments(padding: 0) { screen, _ in
      screen == .findings && findings > 0 ? "\(screen.shortTitle) \(findings)" : screen.shortTitle
    }
    if let last = short.last, last.columns.upperBound <= width + 1 { return short }
    return segments(padding: 1) { screen, isActive in
      isActive ? (width < 60 ? screen.shortTitle : title(screen)) : ""
    }
  }

  static func drawBar(_ model: Model, _ frame: inout Frame, row: Int) {
    let segments = barSegments(model)
    for segment in segments {
      let bar: Role = segment.isActive ? .activeBar : .bar
      let blank = String(repeating: " ", count: segment.padding)
      var column = frame.put(blank, row: row, column: segment.columns.lowerBound, role: bar)
      column = frame.put(
        segment.key,
        row: row,
        column: column,
        role: segment.isActive ? .activeBar : .key
      )
      if !segment.title.isEmpty {
        column = frame.put(" \(segment.title)", row: row, column: column, role: bar)
      }
      frame.put(" ", row: row, column: column, role: bar)
    }
    let isOnFindings = segments.contains { $0.isActive && $0.screen == .findings }
    guard let worst = model.inspection.findings.first?.level, !isOnFindings else { return }
    let text = "worst: \(worst.label)"
    let start = frame.size.columns - CellWidth.of(text)
    if start > segments.last?.columns.upperBound ?? 0 {
      frame.put(text, row: row, column: start, role: worst.role)
    }
  }

  /// Draws the path, the filter, the number of tags, losses, and a summary of the screen.
  static func drawSummary(_ model: Model, _ frame: inout Frame, row: Int) {
    var column = 0
    if let breadcrumbs = breadcrumbs(model) {
      column = frame.put(breadcrumbs + "  ", row: row, column: 0, role: .strong)
    }
    if !model.filter.isEmpty, model.place.screen.table != nil {
      column = frame.put(
        "filter '\(model.filter.text)'  ",
        row: row,
        column: column,
        role: .message
      )
    }
    if !model.tags.isEmpty {
      column = frame.put("\(model.tags.count) tagged  ", row: row, column: column, role: .message)
    }
    let text: String
    if !model.hasInspection {
      text = ""
    } else if let table = model.place.screen.table {
      let isOver = model.place.screen == .sites && !model.isRunning
      let status = endText(model.inspection.program)
      text = (isOver && !status.isEmpty ? status + "; " : "") + table.summary(model)
    } else {
      text = DocumentScreens.summary(model)
    }
    let losses = model.inspection.program.losses
    if !losses.isEmpty, [.map, .sites, .findings].contains(model.place.screen) {
      let lost = "lost: " + displayName(losses.joined(separator: "; "), columns: 400)
      let fitted = Fitting.parts(lost, max(10, frame.size.columns - column - 16), model.glyphs)
      column = frame.put(fitted, row: row, column: column, role: .loss) + 2
    }
    let rows = extent(model)
    let right = frame.size.columns - CellWidth.of(rows)
    frame.put(rows, row: row, column: right, role: .dim)
    let room = right - column - (rows.isEmpty ? 0 : 1)
    // If there is too little room, a blank is better than a fragment of a word.
    guard room >= min(12, CellWidth.of(text)) else { return }
    frame.put(Fitting.parts(text, room, model.glyphs), row: row, column: column, role: .dim)
  }

  /// How the program or its recording ended, in few words if nothing is unusual about it.
  private static func endText(_ program: ProgramInfo) -> String {
    let isClean = program.status == .stopped && !program.hasDied && program.earlyEnd == nil
    return isClean && !program.statusText.isEmpty
      ? "stopped cleanly" : displayName(program.statusText)
  }

  /// The range of rows on the screen, such as `21-40 of 63`; empty if all of them are.
  private static func extent(_ model: Model) -> String {
    let height = model.listHeight
    guard model.place.screen.table != nil, model.rows.count > height else { return "" }
    let top = model.place.list.top
    let last = min(top + height, model.rows.count)
    return "\(top + 1)\(model.glyphs.dash)\(last) of \(model.rows.count)"
  }

  /// The path, such as `Sites › subscriptions of map@Feed.swift:81`, shortened to as many of its
  /// last steps as fit.
  private static func breadcrumbs(_ model: Model) -> String? {
    let steps = model.path.map { place -> String in
      let title = place.screen.title
      return place.scope == .all
        ? title : title.lowercased() + " of " + name(place.scope, model.inspection)
    }
    guard model.path.count > 1 || model.place.scope != .all, let last = steps.last else {
      return nil
    }
    let room = model.size.columns * 3 / 5
    var breadcrumbs = Fitting.middle(last, room, model.glyphs)
    for place in model.path.dropLast().reversed() {
      let step = place.screen.title + " " + model.glyphs.breadcrumb + " "
      guard CellWidth.of(step) + CellWidth.of(breadcrumbs) <= room else {
        let cut = model.glyphs.ellipsis + " " + model.glyphs.breadcrumb + " "
        if CellWidth.of(cut) + CellWidth.of(breadcrumbs) <= room { breadcrumbs = cut + breadcrumbs }
        break
      }
      breadcrumbs = step + breadcrumbs
    }
    return breadcrumbs
  }

  /// The name of a scope in the path and in messages.
  static func name(_ scope: Scope, _ inspection: Inspection) -> String {
    switch scope {
    case .all: return "everything"
    case .chain(let event): return "#\(event)"
    case .queue(let row):
      let name = inspection.schedulers.first { $0.id == row }?.name ?? ""
      return name.isEmpty ? "queue \(row)" : displayName(name, columns: 60)
    case .owner(let key): return "owner \(key.label)"
    case .owners(""): return "all owners"
    case .owners(let name): return "owners with '\(displayName(name, columns: 40))'"
    case .record(let event): return "event #\(event)"
    case .site(let site):
      return inspection.site(site).map(\.label) ?? "site \(site)"
    case .signal(let key):
      return (inspection.signal(key).map(\.label) ?? "signal") + " " + key.label
    case .subscription(let key):
      return (inspection.subscription(key).map(\.label) ?? "subscription") + " "
        + key.label
    case .timer(let key):
      let row = inspection.timer(key)
      return (row.map { displayName("\($0.name)@\($0.location)", columns: 120) } ?? "timer") + " "
        + key.label
    }
  }

  /// Draws the text that is being typed, or else the message, or else the keys.
  static func drawFooter(_ model: Model, _ frame: inout Frame, row: Int) {
    drawFooter(
      prompt: model.prompt,
      note: model.note,
      footerSegments(model),
      &frame,
      row: row,
      model.glyphs
    )
  }

  static func drawFooter(
    prompt: Prompt?,
    note: Note?,
    _ segments: [FooterSegment],
    _ frame: inout Frame,
    row: Int,
    _ glyphs: Glyphs
  ) {
    if let prompt {
      let label =
        switch prompt.kind {
        case .search: "/"
        case .filter: "filter: "
        case .command: ":"
        }
      let column = frame.put(label, row: row, column: 0, role: .key)
      let end = frame.put(
        Fitting.end(prompt.text, frame.size.columns - column - 1, glyphs),
        row: row,
        column: column,
        role: .strong
      )
      frame.cursor = (row, min(end, frame.size.columns - 1))
    } else if let note {
      frame.put(
        Fitting.head(note.text, frame.size.columns, glyphs),
        row: row,
        column: 0,
        role: note.isProblem ? .violation : .message
      )
    } else {
      for segment in segments {
        let column = frame.put(
          segment.key,
          row: row,
          column: segment.columns.lowerBound,
          role: .key
        )
        frame.put(" \(segment.label)  ", row: row, column: column, role: .bar)
      }
    }
  }

  /// A key in the footer, with its position.
  struct FooterSegment {
    var key: String
    var label: String
    var command: Command
    var columns: Range<Int>
  }

  static func footerSegments(_ model: Model) -> [FooterSegment] {
    footerSegments(
      KeyTable.footer(of: model.place.screen),
      width: model.size.columns,
      isOpened: model.path.count > 1
    )
  }

  /// The segments of the bindings that fit; earlier bindings take precedence.
  ///
  /// On a screen that was opened from another, the key that quits only goes back.
  static func footerSegments(
    _ bindings: [KeyBinding],
    width: Int,
    isOpened: Bool = false
  ) -> [FooterSegment] {
    var column = 0
    var segments: [FooterSegment] = []
    for binding in bindings {
      let key = binding.keys.first?.name ?? ""
      let label = isOpened && binding.command == .quit ? "back" : binding.label
      let end = column + key.count + label.count + 3
      guard end <= width + 1 else { continue }
      segments.append(
        FooterSegment(
          key: key,
          label: label,
          command: binding.command,
          columns: column..<end
        )
      )
      column = end
    }
    return segments
  }

  /// What the user can do about an empty screen: go to the end, wait, or record more.
  static func emptyHint(_ model: Model, _ hintWhileRunning: String) -> String {
    if !model.isFollowing { return "Press $ to see the newest state." }
    return model.isRunning
      ? hintWhileRunning : "The program has ended; restart it with RXTRACE=1 to record more."
  }

  /// Draws sentences on an empty screen.
  static func drawEmptiness(
    _ sentences: [String],
    _ frame: inout Frame,
    _ layout: ScreenLayout,
    hasExplanation: Bool
  ) {
    let width = frame.size.columns
    let lines = sentences.flatMap { Fitting.wrap($0, max(10, min(70, width - 4))) }
    let top = layout.list.lowerBound + max(0, (layout.list.count - lines.count) / 3)
    let end = hasExplanation ? layout.list.upperBound : layout.footer
    for (offset, line) in lines.enumerated() where top + offset < end {
      frame.put(line, row: top + offset, column: 2, role: offset == 0 ? .strong : .text)
    }
  }

  /// Draws a sentence that the screen is smaller than the minimum.
  static func drawTooSmall(_ frame: inout Frame) {
    let sentence =
      "rxtop needs \(Size.minimum.columns) columns and \(Size.minimum.rows) lines; "
      + "this terminal has \(frame.size.columns) and \(frame.size.rows). Make it larger, or press q."
    for (row, line) in Fitting.wrap(sentence, max(1, frame.size.columns)).enumerated() {
      frame.put(line, row: row, column: 0)
    }
  }
}
