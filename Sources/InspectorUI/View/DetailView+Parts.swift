import TraceModel
internal import TraceReading

/// The parts of Detail that several kinds of subjects share.
extension DetailView {
  static func site(_ id: UInt32, _ inspection: Inspection) -> String {
    guard let row = inspection.site(id) else { return Quantity.unknown }
    return displayName("\(row.file):\(row.line):\(row.column)")
  }

  /// The level at which the site of the subject is recorded.
  static func level(of model: Model) -> TraceLevel {
    let inspection = model.inspection
    let site =
      switch model.place.scope {
      case .site(let site): site
      case .subscription(let key): inspection.subscription(key)?.site ?? model.account?.life?.site
      case .all, .chain: nil as UInt32?
      default: model.account?.life?.site
      }
    return site.map { inspection.level(ofSite: $0) } ?? inspection.program.highestLevel
  }

  /// A line that says that a site is recorded at a level of its own, and what that level means.
  static func ownLevel(ofSite id: UInt32, _ inspection: Inspection) -> [DocumentLine] {
    guard let level = inspection.site(id)?.level else { return [] }
    let meaning =
      switch level {
      case .off, .graph: "lifetimes and counters, no single event"
      case .events: "each event"
      case .values: "each event and each value"
      }
    return [.field("recorded", "at level \(level), set for its place in RXTRACE: \(meaning)")]
  }

  static func state(_ row: SubscriptionRow) -> String {
    let word = row.stateWord
    return row.isDisposableReleased && row.state?.isLive == true
      ? "active; its disposable was dropped, so nothing can end it from outside" : word
  }

  /// The age of a subscription, with the lifetimes of ended subscriptions of the same site for
  /// comparison.
  static func age(_ row: SubscriptionRow, _ inspection: Inspection) -> String {
    let age = Quantity.duration(row.age)
    guard row.state?.isLive == true, let site = inspection.site(row.site), let ended = site.ended,
      ended > 0, let longest = site.longLifetime
    else { return age }
    // For a hundred lifetimes or more, the figure is the 99th percentile and not the maximum.
    let others = Quantity.of(Int(clamping: ended), "other", "others")
    return ended < 100
      ? "\(age); \(others) of its line lived at most \(Quantity.duration(longest))"
      : "\(age); p99 lifetime of \(others) of its line \(Quantity.duration(longest))"
  }

  static func events(_ row: SubscriptionRow, _ glyphs: Glyphs) -> String {
    var text = Quantity.count(row.events)
    if let rate = row.rate { text += ", \(Quantity.rate(rate)) per second lately" }
    if let last = lastEvent(row) { text += ", " + last }
    return text
  }

  /// When the latest event of a subscription was: `the last one 3.2 s ago`, or `failed 3.2 s ago`;
  /// nil if there was none, or if that is unknown.
  private static func lastEvent(_ row: SubscriptionRow) -> String? {
    guard let age = row.lastEventAge else { return nil }
    let ago = "\(Quantity.duration(age)) ago"
    // A failure and completion are not counted as events, but are the latest one.
    switch row.endReason {
    case .failed? where row.state?.isLive != true: return "failed \(ago)"
    case .completed? where row.state?.isLive != true: return "completed \(ago)"
    default: return row.events == 0 ? nil : "the last one \(ago)"
    }
  }

  static func link(
    _ key: EntityKey?,
    _ label: String,
    _ otherwise: String,
    _ inspection: Inspection
  ) -> DocumentLine {
    guard let key else { return .field(label, otherwise, role: .dim) }
    return .field(
      label,
      ScreenFrame.name(.subscription(key), inspection),
      target: Place(.detail, scope: .subscription(key))
    )
  }

  static func findings(
    _ model: Model,
    _ heading: String = "Findings",
    where accuses: (Finding) -> Bool
  ) -> [DocumentLine] {
    let findings = model.inspection.findings.filter(accuses)
    guard !findings.isEmpty else { return [] }
    return [.heading(heading)]
      + findings.prefix(4).flatMap { finding in
        [DocumentLine("  " + finding.level.label, role: finding.level.role)]
          + DocumentLine.paragraph(
            displayName(finding.sentence, columns: 1000),
            width: model.size.columns,
            indent: 4
          )
          + (finding.callers.map { callers in
            DocumentLine.paragraph(
              displayName(callers.sentence, columns: 1000),
              width: model.size.columns,
              indent: 4
            )
          } ?? [])
          + DocumentLine.paragraph(
            displayName(finding.remedy, columns: 1000),
            width: model.size.columns,
            indent: 4,
            role: .dim
          )
      }
  }

  /// The record of the end of an entity; nil if the inspection contains none.
  static func end(of key: EntityKey, _ inspection: Inspection) -> EventRow? {
    inspection.events.last { $0.kind == .ended && $0.subject == key }
  }

  static func backtrace(
    _ chain: UInt32,
    _ model: Model,
    _ title: String = "Asynchronous backtrace: subscribed from"
  ) -> [DocumentLine] {
    let heading = DocumentLine.heading(title)
    guard chain != 0 else {
      return [
        heading,
        DocumentLine(
          "  Not recorded: by default (stacks=callers), only the program's own subscriptions have "
            + "one.",
          role: .dim
        ),
      ]
    }
    guard let frames = model.backtraces[chain] else {
      return [heading, DocumentLine("  Looking up symbols …", role: .dim)]
    }
    guard !frames.isEmpty else {
      return [
        heading,
        DocumentLine("  The recording does not contain this backtrace.", role: .dim),
      ]
    }
    let folded = AsyncBacktraceText.folded(frames)
    guard folded.count < frames.count else { return [heading] + BacktraceView.lines(frames) }
    let isUnfolded = model.place.isUnfolded
    let hint =
      isUnfolded
      ? "  z shows the program's own functions alone." : "  z shows all \(frames.count) lines."
    return [heading] + BacktraceView.lines(isUnfolded ? frames : folded)
      + [DocumentLine(hint, role: .dim)]
  }

  static func latest(_ key: EntityKey, _ model: Model) -> [DocumentLine] {
    let events = model.inspection.events.filter { $0.subject == key }.suffix(12)
    guard !events.isEmpty else { return [] }
    return [.heading("Latest events")]
      + events.reversed().map { event in
        let number = "#\(event.number)"
        let padding = String(repeating: " ", count: max(1, 12 - number.count))
        return DocumentLine(
          [
            ("  " + number + padding, .dim),
            (Quantity.exactMoment(event.time) + "  ", .text),
            (event.what + "  ", .strong),
            (displayName(event.text, columns: 120), .text),
          ],
          target: Place(.detail, scope: .record(event.number))
        )
      }
  }
}
