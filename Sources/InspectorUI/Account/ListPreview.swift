import TraceModel
internal import TraceReading

/// The preview below a list, which shows what is known about the selected row.
enum ListPreview {
  static func draw(_ model: Model, _ frame: inout Frame, _ layout: ScreenLayout) {
    draw(lines(model), model, &frame, layout)
  }

  /// Draws lines below a horizontal rule; if there is no room for all, the last row says how many
  /// more there are.
  static func draw(
    _ lines: [DocumentLine],
    _ model: Model,
    _ frame: inout Frame,
    _ layout: ScreenLayout
  ) {
    let room = layout.explanation.count
    guard room > 0, !lines.isEmpty else { return }
    let rule = String(repeating: model.glyphs.rule, count: frame.size.columns)
    frame.put(rule, row: layout.explanation.lowerBound - 1, column: 0, role: .dim)
    var lines = lines
    if lines.count > room {
      let left = Quantity.of(lines.count - room + 1, "line", "lines")
      lines[room - 1] = DocumentLine("\(left) more: d shows all", role: .dim)
    }
    for (row, line) in zip(layout.explanation, lines) {
      DocumentScreens.draw(line, &frame, row: row, model.glyphs)
    }
  }

  static func lines(_ model: Model) -> [DocumentLine] {
    let inspection = model.inspection
    if let row = model.selectedEvent { return event(row, model) }
    guard let scope = model.selectedScope else { return [] }
    switch scope {
    case .site(let site):
      guard let row = inspection.site(site) else { return [] }
      return MapPreview.lines(of: row, model)
    case .signal(let key):
      guard let row = inspection.signal(key) else { return [] }
      return signal(row, model)
    case .subscription(let key):
      guard let row = inspection.subscription(key) else { return [] }
      return subscription(row, model)
    case .queue:
      guard let work = model.previewedAccount?.queue else { return [] }
      return AccountView.work(work, model)
    case .all, .chain, .timer, .owner, .owners, .record: return []
    }
  }

  /// What the records say about the selected line of code or subscription, as lines of text.
  static func account(_ model: Model) -> [DocumentLine] {
    guard let account = model.previewedAccount else { return [] }
    var lines: [DocumentLine] = []
    if let value = account.lastValue {
      lines.append(
        DocumentLine([
          ("value     ", .dim), (displayName(value.text, columns: 120), .strong),
          ("  at \(Quantity.moment(value.time))", .dim),
        ])
      )
    }
    if let owner = account.owner {
      lines.append(DocumentLine([("owner     ", .dim), (owner.label, .text)]))
    }
    if let ending = account.ending {
      let text = displayName(ending.answer, columns: 240)
      lines.append(DocumentLine([("ended     ", .dim), (text, .gone)]))
    } else if let last = account.endings.last {
      let text = "\(last.subject?.label ?? "#?") at \(Quantity.moment(last.time)): \(last.text)"
      lines.append(DocumentLine([("last end  ", .dim), (displayName(text, columns: 240), .gone)]))
    }
    if !account.owners.isEmpty {
      let names = account.owners.prefix(3).map(\.life.label).joined(separator: ", ")
      let more = account.owners.count > 3 ? " and \(account.owners.count - 3) more" : ""
      lines.append(DocumentLine([("owners    ", .dim), (names + more, .text)]))
    }
    return lines
  }

  /// The number of the recorded backtrace that is shown below a list; 0 if none is shown.
  static func chain(_ model: Model) -> UInt32 {
    guard model.place.screen == .subscriptions, model.layout.explanation.count > 0,
      case .subscription(let key)? = model.selectedScope
    else { return 0 }
    return model.inspection.subscription(key)?.chain ?? 0
  }

  // MARK: Rows

  /// Describes an event, and then the work or the subject that its record is about.
  private static func event(_ row: EventRow, _ model: Model) -> [DocumentLine] {
    let thread = row.thread.isEmpty ? Quantity.unknown : displayName(row.thread, columns: 32)
    var lines = [
      DocumentLine([
        ("#\(row.number) \(row.what)", .strong), ("  at \(Quantity.exactMoment(row.time))", .text),
        ("  on \(thread)", .dim),
      ])
    ]
    if !row.text.isEmpty {
      lines.append(
        DocumentLine([("says      ", .dim), (displayName(row.text, columns: 400), .text)])
      )
    }
    // Only the first sentence is shown: the others describe the arguments of the record.
    let meaning = RecordSpec.of(row.kind).meaning
    let end = meaning.firstRange(of: ". ").map { meaning.index(after: $0.lowerBound) }
    lines.append(
      DocumentLine([("means     ", .dim), (String(meaning[..<(end ?? meaning.endIndex)]), .dim)])
    )
    if let hop = model.previewedAccount?.hop {
      return lines + AccountView.work(hop, row.number, model)
    }
    let subject: [DocumentLine]? =
      switch EventsView.subject(of: row) {
      case .subscription(let key):
        model.inspection.subscription(key).map { self.subscription($0, model) }
      case .signal(let key): model.inspection.signal(key).map { signal($0, model) }
      default: nil
      }
    if let subject { return lines + subject }
    guard !row.subjectText.isEmpty else { return lines }
    let text = displayName(row.subjectText, columns: 120)
    return lines + [
      DocumentLine([
        ("of        ", .dim), (text, .text), ("  d shows what is known of it", .dim),
      ])
    ]
  }

  private static func signal(_ row: SignalRow, _ model: Model) -> [DocumentLine] {
    let inspection = model.inspection
    var lines = [
      DocumentLine([
        ("\(row.label) \(row.key.label)", .strong),
        ("  \(row.state?.word ?? Quantity.unknown)", .text),
        (
          "  subscribed \(Quantity.count(row.subscriptions)) now, \(Quantity.count(row.subscriptionsEver)) ever",
          .text
        ),
        ("  age \(Quantity.duration(row.age))", .dim),
      ])
    ]
    if let name = row.composedName {
      lines.append(DocumentLine([("name      ", .dim), (displayName(endOf: name), .text)]))
    }
    for (title, keys) in [("made from ", row.upstreams), ("used by   ", row.downstreams)]
    where !keys.isEmpty {
      let names = keys.prefix(3).map { ScreenFrame.name(.signal($0), inspection) }
      let more = keys.count > 3 ? " and \(keys.count - 3) more" : ""
      lines.append(DocumentLine([(title, .dim), (names.joined(separator: ", ") + more, .text)]))
    }
    return lines + flow(row.site, model)
  }

  private static func subscription(_ row: SubscriptionRow, _ model: Model) -> [DocumentLine] {
    let inspection = model.inspection
    let isLive = row.state?.isLive != false
    var facts: [(String, Role)] = [
      ("\(row.label) \(row.key.label)", .strong), ("  \(row.stateWord)", isLive ? .good : .gone),
      ("  age \(Quantity.duration(row.age))", .text),
      ("  \(Quantity.of(row.events.map { Int(clamping: $0) }, "event", "events"))", .text),
    ]
    if let rate = row.rate { facts.append(("  \(Quantity.rate(rate))/s", .text)) }
    // A failure and completion, which the state shows, are not counted as events.
    if let age = row.lastEventAge, row.events != 0 {
      facts.append(("  last \(Quantity.duration(age)) ago", .dim))
    }
    if let held = row.held, held > 0 { facts.append(("  holds \(held)", .suspect)) }
    if let scheduler = row.scheduler {
      facts.append(("  on \(displayName(scheduler, columns: 32))", .dim))
    }
    var lines = [DocumentLine(facts)]
    if let name = row.composedName {
      lines.append(DocumentLine([("signal    ", .dim), (displayName(endOf: name), .text)]))
    }
    if !row.isRoot, let root = row.root {
      lines.append(
        DocumentLine([
          ("root      ", .dim), (ScreenFrame.name(.subscription(root), inspection), .text),
        ])
      )
    }
    lines += account(model) + flow(row.site, model)
    guard row.chain != 0, let frames = model.backtraces[row.chain] else { return lines }
    let own = AsyncBacktraceText.ownPlaces(in: frames)
    let shown = (own.isEmpty ? AsyncBacktraceText.folded(frames) : own).prefix(3)
    return lines + BacktraceView.lines(Array(shown))
  }

  /// A sparkline of the recent events at a line of code.
  static func flow(_ site: UInt32, _ model: Model) -> [DocumentLine] {
    guard let report = model.flow, let parts = report.parts[site] else { return [] }
    let events = Quantity.of(Int(clamping: report.events(ofSite: site)), "event", "events")
    return [
      DocumentLine([
        ("flow      ", .dim), (Sparkline.text(parts, model.glyphs), .good),
        ("  \(events) at its line in the last \(Quantity.duration(report.to - report.from))", .dim),
      ])
    ]
  }
}
