import TraceFindings
import TraceModel
internal import TraceReading

/// The Detail screen of a subject that is not a row of a table: an owner, a queue, or a record.
enum AccountView {
  static func lines(_ model: Model) -> [DocumentLine]? {
    let width = model.size.columns
    guard let account = model.account else {
      return DocumentLine.emptiness(["Looking at the records …"], width: width)
    }
    switch account.scope {
    case .owner(let key): return owner(key, account, model)
    case .owners(let name): return owners(name, account, model)
    case .queue(let queue): return self.queue(queue, account, model)
    case .record(let number): return record(number, account, model)
    case .all, .chain, .site, .signal, .subscription, .timer: return nil
    }
  }

  /// The maximum number of rows of a list.
  private static let rowLimit = 200

  /// The chains (recorded backtraces) that the lines of an account show.
  ///
  /// An account is everything that the records say about one subject, such as a queue.
  static func chains(_ account: Account) -> [UInt32] {
    let queue = account.queue.map { $0.running + $0.waiting + $0.recent } ?? []
    let unnamed = queue.filter { $0.scheduledBy == nil }.prefix(6).map(\.chain)
    return
      ([account.hop?.chain ?? 0, account.ending?.chain ?? 0, account.record?.chain ?? 0]
      + unnamed).filter { $0 != 0 }
  }

  // MARK: Owners

  private static func owner(_ key: EntityKey, _ account: Account, _ model: Model) -> [DocumentLine]
  {
    guard let life = account.life, life.kind == .owner, let holdings = account.holdings else {
      return DocumentLine.emptiness(
        [
          "Nothing in the recording tells of owner \(key.label).",
          "Press Esc to go back, or $ for the newest state.",
        ],
        width: model.size.columns
      )
    }
    return owner(life, holdings, model)
  }

  private static func owner(_ life: AccountedLife, _ holdings: Holdings, _ model: Model)
    -> [DocumentLine]
  {
    let inspection = model.inspection
    let held = holdings.rows.filter(\.isHeld)
    let before = holdings.rows.filter { !$0.isHeld }
    let ever = holdings.rows.count + holdings.missing
    var lines: [DocumentLine] = [
      .heading("Owner \(life.key.label)"),
      .field("made by", displayName(life.name, columns: 120), role: .strong),
      .field(
        "where",
        DetailView.site(life.site, inspection),
        role: .site,
        target: Place(.detail, scope: .site(life.site))
      ),
      .field(
        "state",
        life.ended.map { "ended at \(Quantity.moment($0))" } ?? "active",
        role: life.ended == nil ? .good : .gone
      ),
      .field("age", Quantity.duration((life.ended ?? inspection.instant.time) - life.began)),
      .field(
        "holds",
        "\(Quantity.of(held.count, "subscription", "subscriptions")) now, "
          + "\(Quantity.count(ever)) ever"
      ),
    ]
    lines += list("Holds now", held, model)
    lines += list("Held before", before.reversed(), model)
    if holdings.missing > 0 {
      lines += DocumentLine.paragraph(
        "Overwritten by newer records, of what it held: "
          + "\(Quantity.of(holdings.missing, "subscription", "subscriptions")).",
        width: model.size.columns,
        role: .dim
      )
    }
    return lines
  }

  private static func list(_ title: String, _ rows: [Holdings.Row], _ model: Model)
    -> [DocumentLine]
  {
    guard !rows.isEmpty else { return [] }
    let shown = rows.prefix(rowLimit)
    let width = min(60, shown.map { CellWidth.of($0.life.label) }.max() ?? 0)
    let now = model.inspection.instant.time
    var lines: [DocumentLine] = [.heading("\(title): \(Quantity.count(rows.count))")]
    lines += shown.map { row in
      let label = Fitting.middle(row.life.label, width, model.glyphs)
      let padding = String(repeating: " ", count: max(2, width + 2 - CellWidth.of(label)))
      let state: String
      if let ended = row.life.ended {
        let word = row.reason.map(StateWord.of) ?? "ended"
        state = "\(word) at \(Quantity.moment(ended))"
      } else {
        state =
          "\(row.hasMoved ? "of another owner" : "active"), age \(Quantity.duration(now - row.life.began))"
      }
      return DocumentLine(
        [("  " + label + padding, row.isHeld ? .text : .gone), (state, .dim)],
        target: Place(.detail, scope: .subscription(row.life.key))
      )
    }
    if rows.count > shown.count {
      lines.append(DocumentLine("  and \(rows.count - shown.count) more", role: .dim))
    }
    return lines
  }

  private static func owners(_ name: String, _ account: Account, _ model: Model) -> [DocumentLine] {
    if account.owners.count == 1, let holdings = account.holdings {
      return owner(account.owners[0].life, holdings, model)
    }
    let name = displayName(name, columns: 60)
    guard !account.owners.isEmpty else {
      guard !name.isEmpty else {
        return DocumentLine.emptiness(
          [
            "Nothing has owned a subscription so far.",
            "A bag of disposables, a lifetime or an object given as subscribe(owner:) is an owner.",
          ],
          width: model.size.columns
        )
      }
      let known = model.ownerNames.prefix(8)
      return DocumentLine.emptiness(
        [
          "No owner with '\(name)' in its name has held a subscription so far.",
          known.isEmpty
            ? "A bag of disposables, a lifetime or an object given as subscribe(owner:) is an owner."
            : "Owners are: \(known.joined(separator: ", ")).",
        ],
        width: model.size.columns
      )
    }
    let title = name.isEmpty ? "Owners" : "Owners with '\(name)' in their name"
    return owners(title, account.owners)
  }

  /// A heading and a list of owners, sorted by the number of subscriptions that they hold now, the
  /// greatest first.
  static func owners(_ title: String, _ owners: [OwnerAccount], ofLine: Bool = false)
    -> [DocumentLine]
  {
    guard !owners.isEmpty else { return [] }
    let sorted = owners.sorted { ($1.live, $0.life.key) < ($0.live, $1.life.key) }
    let left = owners.count - rowLimit
    return [.heading("\(title): \(Quantity.count(owners.count))")]
      + sorted.prefix(rowLimit).map { owner($0, ofLine: ofLine) }
      + (left > 0 ? [DocumentLine("  and \(left) more", role: .dim)] : [])
  }

  /// An owner in a list.
  private static func owner(_ owner: OwnerAccount, ofLine: Bool) -> DocumentLine {
    let count = ofLine ? "\(Quantity.count(owner.ofLine)) of the line, " : ""
    let state = owner.life.ended.map { ", ended at \(Quantity.moment($0))" } ?? ""
    return DocumentLine(
      [
        ("  " + owner.life.label, owner.life.ended == nil ? .text : .gone),
        (
          "  holds \(count)\(Quantity.count(owner.live)) now, \(Quantity.count(owner.ever)) ever\(state)",
          .dim
        ),
      ],
      target: Place(.detail, scope: .owner(owner.life.key))
    )
  }

  // MARK: Queues

  private static func queue(_ queue: UInt32, _ account: Account, _ model: Model) -> [DocumentLine] {
    let inspection = model.inspection
    guard let row = inspection.schedulers.first(where: { $0.id == queue }),
      let report = account.queue
    else {
      return DocumentLine.emptiness(
        ["The queue does not exist at this moment of the recording.", "Press Esc to go back."],
        width: model.size.columns
      )
    }
    let subscriptions = inspection.subscriptionRows.count { $0.scheduler == row.name }
    let lines: [DocumentLine] = [
      .heading("Queue \(ScreenFrame.name(.queue(queue), inspection))"),
      .field("kind", row.kind.word),
      .field(
        "work",
        "\(Quantity.count(row.scheduled)) accepted ever\(row.waiting == nil ? ", that of a timer once" : ""), "
          + "\(Quantity.count(row.begun)) begun, \(Quantity.count(row.cancelled)) cancelled"
      ),
      .field(
        "made on it",
        Quantity.of(subscriptions, "subscription", "subscriptions"),
        target: Place(.subscriptions, scope: .queue(queue))
      ),
    ]
    return lines + work(report, model)
  }

  /// The running, waiting and recent work of a queue.
  static func work(_ report: QueueAccount, _ model: Model) -> [DocumentLine] {
    let program = model.inspection.program
    let width = model.size.columns
    if let level = missingLevel(program) {
      return DocumentLine.paragraph(level, width: width, role: .suspect)
    }
    let span = Quantity.duration(report.span)
    var lines: [DocumentLine] = [.heading("Running now: \(report.running.count)")]
    lines += report.running.map { hop($0, model) }
    if report.running.isEmpty { lines.append(DocumentLine("  nothing", role: .dim)) }
    lines.append(.heading("Waiting now: \(Quantity.count(report.waitingCount))"))
    lines += report.waiting.map { hop($0, model) }
    if report.waitingCount == 0 { lines.append(DocumentLine("  nothing", role: .dim)) }
    let left = report.waitingCount - report.waiting.count
    if left > 0 { lines.append(DocumentLine("  and \(left) more", role: .dim)) }
    lines.append(.heading("Ran lately, the latest first"))
    lines += report.recent.map { hop($0, model) }
    if report.recent.isEmpty {
      lines.append(DocumentLine("  nothing in the last \(span)", role: .dim))
    }
    if !report.isKnown {
      lines += DocumentLine.paragraph(
        "Records of the last \(span) are missing, so there may be more.",
        width: width,
        role: .loss
      )
    }
    return lines
  }

  /// A sentence that explains why no work is recorded; nil if work is recorded.
  private static func missingLevel(_ program: ProgramInfo) -> String? {
    guard program.highestLevel < .events else { return nil }
    return
      "Which work runs and waits is not recorded at level '\(program.level)': level 'events' records it (RXTRACE=1)."
  }

  /// A piece of work in a list.
  private static func hop(_ hop: HopAccount, _ model: Model) -> DocumentLine {
    let now = model.inspection.instant.time
    var pieces: [(String, Role)] = [("  hop \(hop.number)", .text)]
    if hop.began == nil {
      pieces.append(("  for \(Quantity.duration(hop.waited(by: now)))", .suspect))
    } else if hop.ended == nil {
      pieces.append(("  for \(Quantity.duration(hop.ran(by: now)))", .good))
    } else {
      let waited = hop.waited(by: now).map { "waited \(Quantity.duration($0)), " } ?? ""
      let began = hop.began.map { "  \(Quantity.moment($0))" } ?? ""
      pieces.append(("\(began)  \(waited)ran \(Quantity.duration(hop.ran(by: now)))", .dim))
    }
    pieces.append(("  \(scheduled(hop)) ", .dim))
    pieces.append((place(hop, model), .site))
    if hop.valueCount > 0 {
      let values = Quantity.of(hop.valueCount, "value", "values")
      let line = hop.firstLine.map { ", first at \(displayName($0, columns: 60))" } ?? ""
      pieces.append(("  \(values)\(line)", .dim))
    }
    return DocumentLine(
      pieces,
      target: hop.event == 0 ? nil : Place(.detail, scope: .record(hop.event))
    )
  }

  private static func scheduled(_ hop: HopAccount) -> String {
    hop.timer == nil ? "scheduled by" : "timer of"
  }

  /// What scheduled the work: a timer, a subscription, or else the first of the program's own lines
  /// in the backtrace.
  private static func place(_ hop: HopAccount, _ model: Model) -> String {
    if let timer = hop.timer { return timer.label }
    if let subscription = hop.subscription { return subscription.label }
    if let own = model.backtraces[hop.chain].flatMap({ AsyncBacktraceText.ownPlaces(in: $0).first })
    {
      return displayName(own, columns: 100)
    }
    return hop.scheduled == nil ? "something not recorded" : "the program's own code"
  }

  // MARK: Records

  private static func record(_ number: UInt64, _ account: Account, _ model: Model)
    -> [DocumentLine]
  {
    let width = model.size.columns
    guard let row = account.record else {
      return DocumentLine.emptiness(
        [
          "Event #\(number) is not in the recording any more: newer events have taken its place.",
          "Press Esc to go back.",
        ],
        width: width
      )
    }
    let spec = RecordSpec.of(row.kind)
    var lines: [DocumentLine] = [
      .heading("Event #\(number): \(spec.name)"),
      .field("when", Quantity.moment(row.time)),
      .field("thread", row.thread.isEmpty ? Quantity.unknown : displayName(row.thread)),
    ]
    if !row.text.isEmpty { lines.append(.field("says", displayName(row.text, columns: 240))) }
    if let scope = EventsView.subject(of: row), scope != .record(number) {
      lines.append(.field("of", row.subjectText, role: .site, target: Place(.detail, scope: scope)))
    }
    lines.append(
      .field(
        "causes",
        "what led to it, and what it led to",
        target: Place(.events, scope: .chain(number))
      )
    )
    // Sentences about the record's arguments are left out: they describe its encoding, which
    // matters only to programs that read the file.
    let meaning = spec.meaning.split(separator: ". ").filter { !$0.contains("argument") }
      .map { $0.hasSuffix(".") ? String($0) : $0 + "." }
    lines += DocumentLine.paragraph(meaning.joined(separator: " "), width: width, role: .dim)
    guard let hop = account.hop else { return lines }
    return lines + work(hop, number, model)
  }

  static func work(_ hop: HopAccount, _ number: UInt64, _ model: Model) -> [DocumentLine] {
    let now = model.inspection.instant.time
    func event(_ number: UInt64?, _ own: UInt64) -> Place? {
      number.flatMap { $0 == 0 || $0 == own ? nil : Place(.detail, scope: .record($0)) }
    }
    let scheduler = hop.schedulerName.isEmpty ? Quantity.unknown : displayName(hop.schedulerName)
    var lines: [DocumentLine] = [
      .heading("Hop \(hop.number)"),
      .field(
        "queue",
        scheduler,
        role: .site,
        target: hop.scheduler == 0 ? nil : Place(.detail, scope: .queue(hop.scheduler))
      ),
    ]
    lines.append(
      .field(
        hop.timer == nil ? "scheduled by" : "timer",
        place(hop, model),
        target: hop.timer.map { Place(.detail, scope: .timer($0.key)) }
          ?? hop.subscription.map { Place(.detail, scope: .subscription($0.key)) }
      )
    )
    if let scheduled = hop.scheduled {
      lines.append(
        .field("scheduled", "at \(Quantity.moment(scheduled))", target: event(hop.event, number))
      )
    }
    if let parent = hop.parent {
      lines.append(.field("within", "hop \(parent)", target: event(hop.parentEvent, number)))
    }
    if let cancelled = hop.cancelled {
      lines.append(.field("cancelled", "at \(Quantity.moment(cancelled)), before it began"))
    } else if let waited = hop.waited(by: now) {
      let isWaiting = hop.began == nil
      lines.append(
        .field("waited", Quantity.duration(waited) + (isWaiting ? " so far; it has not begun" : ""))
      )
    }
    if let ran = hop.ran(by: now) {
      let state = hop.ended == nil ? " so far; it runs" : ""
      let thread = hop.thread.isEmpty ? "" : " on thread \(displayName(hop.thread))"
      lines.append(.field("ran", Quantity.duration(ran) + state + thread))
      let first = hop.firstLine.map { ", first at \(displayName($0, columns: 100))" } ?? ""
      lines.append(.field("values", "\(Quantity.count(hop.valueCount)) passed in it\(first)"))
    }
    guard hop.chain != 0 else { return lines }
    return lines
      + DetailView.backtrace(hop.chain, model, "Asynchronous backtrace: where it was scheduled")
  }
}
