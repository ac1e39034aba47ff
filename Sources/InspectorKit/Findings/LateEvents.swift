import ReactiveTrace

/// Events came to subscriptions of one site that had been disposed of, or had ended.
///
/// One value, and a completion or failure behind it, may be under way while a subscription is disposed of: that is
/// harmless, however many subscriptions it happens to, and nothing is said of it. Two values in a row on one thread
/// cannot: their source does not heed the end.
struct LateEvents: Accusation {
  let site: UInt32
  let level: FindingLevel
  let cap: String?
  let subject: EntityKey?
  private let row: TraceSite
  private let events: [UInt64]
  /// Values after the end, of subscriptions where the records prove it.
  private let proven: Int

  var kind: FindingKind { .eventAfterDispose }

  // MARK: Looking

  static func check(_ facts: FindingFacts) -> [LateEvents] {
    let sites = facts.sites.indices.filter { facts.sites[$0].refused > 0 }.map { UInt32($0) }
    guard !sites.isEmpty else { return [] }
    let lives = RefusedLives(facts)
    return sites.compactMap { LateEvents($0, lives.of($0), facts.site($0)) }
  }

  /// Nil where no subscription is known to have been sent more than what was under way.
  private init?(_ site: UInt32, _ lives: [RefusedLife], _ row: TraceSite) {
    self.site = site
    self.row = row
    let worst = lives.filter { $0.late.count >= 2 }
    proven = worst.reduce(0) { $0 + $1.late.count }
    if !worst.isEmpty {
      level = .violation
      events = worst.flatMap { $0.ends + $0.late }.sorted()
      subject = worst.count == 1 ? worst[0].key : nil
      cap = nil
      return
    }
    let told = lives.reduce(0) { $0 + UInt64($1.refused.count) }
    // Of what no record tells, each subscription that ended may have refused a value and an end.
    let isCounted = told < row.refused && (row.refused - 1) / 2 >= max(1, row.endedCount)
    let repeated = lives.filter(\.isRepeated)
    guard isCounted || !repeated.isEmpty else { return nil }
    level = .suspect
    let shown = repeated.isEmpty ? lives : repeated
    subject = shown.count == 1 ? shown[0].key : nil
    events = shown.flatMap { $0.ends + $0.refused }.sorted()
    cap = Self.cap(shown, missing: row.refused &- min(told, row.refused))
  }

  /// What the records leave open.
  private static func cap(_ lives: [RefusedLife], missing: UInt64) -> String? {
    if missing > 0 {
      return
        "SUSPECT at most: the records of \(missing) of these events, or of the ends before "
        + "them, are not in this trace."
    }
    return lives.contains { $0.ends.isEmpty }
      ? "SUSPECT at most: no record in this trace tells of the end before these events." : nil
  }

  // MARK: Wording

  var summary: String {
    level == .violation
      ? "\(Words.count(proven, "value")) after the end, on one thread"
      : "\(Words.count(row.refused, "event")) refused"
  }

  var sentence: String {
    level == .violation
      ? "\(Words.count(proven, "value")) came here on one thread after the subscription had been "
        + "disposed of or had ended: the source goes on without heeding it."
      : "\(row.refused) events came here after their subscriptions had ended, two or more of them to "
        + "one of these" + (events.isEmpty ? ", by the counters." : ".")
  }

  var remedy: String {
    "Let the source of \(row.place) stop: put what it has to cancel into the observer's "
      + "disposables, or ask isDisposed before each value."
  }

  var evidence: Evidence {
    Evidence(
      events: events,
      counters: ["refused \(row.refused)", "ended \(row.endedCount)"]
    )
  }

  var rank: Rank { Rank(live: row.refused) }
}

/// What records tell of one subscription that was sent events too late.
struct RefusedLife {
  var key: EntityKey
  /// The records of its disposal and end.
  var ends: [UInt64] = []
  /// All refused events.
  var refused: [UInt64] = []
  /// How many of them were values, and completions or failures.
  var values = 0
  var terminals = 0
  /// Values refused, on the thread that sent most of them; none where no record tells of an end.
  ///
  /// That they were refused says that they came after it, whatever their times: a thread that sends to what has
  /// ended may bear a time from before that.
  var late: [UInt64] = []

  /// Whether it was more than what may be under way at the end: a value, and an end behind it.
  var isRepeated: Bool { values >= 2 || terminals >= 2 }
}

/// All subscriptions that refused events, by site.
struct RefusedLives {
  private var bySite: [UInt32: [RefusedLife]] = [:]

  private struct Open {
    var key: EntityKey
    var site: UInt32?
    var ends: [UInt64] = []
    var refused: [UInt64] = []
    var values = 0
    var lateByThread: [UInt32: [UInt64]] = [:]
  }

  init(_ facts: FindingFacts) {
    var open: [TraceID: Open] = [:]
    for record in facts.records {
      let id = record.entity
      switch record.kind {
      case .subscribed:
        close(open.removeValue(forKey: id))
        open[id] = Open(key: EntityKey(id: id, serial: record.more.1), site: record.site)
      case .entityStatus:
        guard record.status?.kind == .subscription else { continue }
        open[id, default: Open(key: EntityKey(id: id, serial: 0))].site = record.site
        open[id]?.key.serial = record.more.1
      case .disposeRequested, .ended:
        open[id, default: Open(key: EntityKey(id: id, serial: 0))].ends.append(record.number)
      case .refused:
        var life = open[id] ?? Open(key: EntityKey(id: id, serial: 0))
        life.refused.append(record.number)
        if record.refusedEvent == .next { life.values += 1 }
        if record.refusedEvent == .next, record.thread != 0 {
          life.lateByThread[record.thread, default: []].append(record.number)
        }
        open[id] = life
      case .subscriptionReleased:
        close(open.removeValue(forKey: id))
      default: break
      }
    }
    for (id, var life) in open {
      if let slot = facts.slot(id), slot.kind == .subscription {
        life.site = slot.site
        life.key.serial = slot.serial
      }
      close(life)
    }
    for site in bySite.keys {
      bySite[site]?.sort { ($0.refused[0], $0.key) < ($1.refused[0], $1.key) }
    }
  }

  private mutating func close(_ open: Open?) {
    guard let open, let site = open.site, !open.refused.isEmpty else { return }
    let most = open.lateByThread.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    bySite[site, default: []].append(
      RefusedLife(
        key: open.key,
        ends: open.ends,
        refused: open.refused,
        values: open.values,
        terminals: open.refused.count - open.values,
        late: open.ends.isEmpty ? [] : most?.value ?? []
      )
    )
  }

  /// In the order in which they refused their first event.
  func of(_ site: UInt32) -> [RefusedLife] { bySite[site] ?? [] }
}
