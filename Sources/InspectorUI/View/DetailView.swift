import TraceModel
internal import TraceReading

/// The screen Detail, which shows everything that is known about one subscription, signal, timer,
/// line of code, owner, queue or event.
enum DetailView {
  static func lines(_ model: Model) -> [DocumentLine] {
    let inspection = model.inspection
    switch model.place.scope {
    case .subscription(let key):
      guard let row = inspection.subscription(key) else {
        return endedEntity("subscription \(key.label)", model)
      }
      return subscription(row, model)
    case .signal(let key):
      guard let row = inspection.signal(key) else {
        return endedEntity("signal \(key.label)", model)
      }
      return signal(row, model)
    case .timer(let key):
      guard let row = inspection.timer(key) else { return endedEntity("timer \(key.label)", model) }
      return timer(row, model)
    case .site(let site):
      guard let row = inspection.site(site) else { return missingEntity("line of code", model) }
      return self.site(row, model)
    case .owner, .owners, .queue, .record: return AccountView.lines(model) ?? []
    case .all, .chain:
      return DocumentLine.emptiness(
        ["No row is selected.", "Select one on Subscriptions and press Enter."],
        width: model.size.columns
      )
    }
  }

  /// The numbers (chains) of the recorded backtraces on the screen.
  static func chains(_ model: Model) -> [UInt32] {
    let own: [UInt32] =
      switch model.place.scope {
      case .subscription(let key):
        [
          model.inspection.subscription(key)?.chain ?? 0,
          end(of: key, model.inspection)?.chain ?? 0,
        ]
      case .timer(let key): [model.inspection.timer(key)?.chain ?? 0]
      default: []
      }
    return own.filter { $0 != 0 } + (model.account.map(AccountView.chains) ?? [])
  }

  /// Shows what is known about an entity that no longer has a row.
  private static func endedEntity(_ what: String, _ model: Model) -> [DocumentLine] {
    guard let account = model.account, let life = account.life else {
      return missingEntity(what, model)
    }
    let inspection = model.inspection
    var lines: [DocumentLine] = [
      .heading(what.prefix(1).uppercased() + what.dropFirst()),
      .field("operator", displayName(life.name, columns: 120), role: .strong),
      .field(
        "where",
        site(life.site, inspection),
        role: .site,
        target: Place(.detail, scope: .site(life.site))
      ),
    ]
    let began = "began at \(Quantity.moment(life.began))"
    let ended =
      life.ended.map { "ended \(life.isEndUnknown ? "after" : "at") \(Quantity.moment($0))" }
      ?? "not there at this moment"
    lines.append(.field("state", "\(began), \(ended)", role: .gone))
    lines += owned(model) + (account.ending.map { EndingView.lines($0, model) } ?? [])
    if let chain = account.ending?.chain, chain != 0 {
      lines += backtrace(chain, model, "Asynchronous backtrace: where it was ended")
    }
    return lines + histograms(model)
  }

  /// The lines about the owner and the latest value of a subscription.
  static func owned(_ model: Model) -> [DocumentLine] {
    guard let account = model.account else { return [] }
    var lines: [DocumentLine] = []
    if let owner = account.owner {
      let whose = account.isOwnerOfRoot ? ", of its root" : ""
      lines.append(.field("owner", owner.label + whose, target: EndingView.place(of: owner)))
    } else if account.life?.kind == .subscription {
      lines.append(.field("owner", "no bag or other owner is recorded", role: .dim))
    }
    if let value = account.lastValue {
      let text = displayName(value.text, columns: 160)
      lines.append(.field("last value", "\(text)  at \(Quantity.moment(value.time))"))
    } else if level(of: model) < .values {
      lines.append(
        .field("last value", "not recorded: that needs level 'values' (RXTRACE=values)", role: .dim)
      )
    }
    return lines
  }

  /// The line about a scheduler; Enter on the line opens the queue of the scheduler.
  static func queue(
    _ label: String,
    _ name: String?,
    _ inspection: Inspection,
    otherwise: String = Quantity.unknown
  ) -> DocumentLine {
    let row = inspection.schedulers.first { $0.name == name }
    return .field(
      label,
      name.map { displayName($0) } ?? otherwise,
      role: name == nil ? .dim : .text,
      target: row.map { Place(.detail, scope: .queue($0.id)) }
    )
  }

  /// The lines about the schedulers on which a subscription received its values; Enter on a line
  /// opens the queue.
  static func runPlaces(_ model: Model) -> [DocumentLine] {
    guard level(of: model) >= .events else {
      return [.field("runs on", "not recorded: that needs level 'events' (RXTRACE=1)", role: .dim)]
    }
    guard let found = model.account?.runPlaces, found.places.count + found.unknownCount > 0 else {
      return []
    }
    var lines = found.places.prefix(4).map { place in
      let values = Quantity.of(place.count, "value", "values")
      return (
        "\(displayName(place.name, columns: 60)), \(values)",
        place.scheduler == 0 ? nil : Place(.detail, scope: .queue(place.scheduler))
      )
    }
    if found.places.count > 4 { lines.append(("and \(found.places.count - 4) more", nil)) }
    if found.unknownCount > 0 {
      let values = Quantity.of(found.unknownCount, "value", "values")
      lines.append(("not known for \(values): the record of where is missing", nil))
    }
    return lines.enumerated().map { index, line in
      .field(index == 0 ? "runs on" : "", line.0, target: line.1)
    }
  }

  private static func missingEntity(_ what: String, _ model: Model) -> [DocumentLine] {
    DocumentLine.emptiness(
      [
        "The \(what) does not exist at this moment of the recording.",
        "Press [ to go back to the change before, $ for the newest state.",
      ],
      width: model.size.columns
    )
  }

  // MARK: Kinds

  private static func subscription(_ row: SubscriptionRow, _ model: Model) -> [DocumentLine] {
    let inspection = model.inspection
    var lines: [DocumentLine] = [
      .heading("Subscription \(row.key.label)"),
      .field("operator", displayName(row.name, columns: 120), role: .strong),
      .field(
        "where",
        site(row.site, inspection),
        role: .site,
        target: Place(.detail, scope: .site(row.site))
      ),
      .field("state", state(row), role: row.state?.isLive == true ? .good : .gone),
    ]
    lines += ownLevel(ofSite: row.site, inspection)
    if let end = end(of: row.key, inspection) {
      lines.append(.field("ended", displayName(end.text, columns: 240), role: .gone))
    }
    lines += [
      .field("age", age(row, inspection)),
      .field("events", events(row, model.glyphs)),
      .field("held values", Quantity.count(row.held.map(UInt64.init))),
      queue(
        "made on",
        row.scheduler,
        inspection,
        otherwise: row.schedulerGroup == 0
          ? "outside of scheduled work, as in the main function or in a task" : Quantity.unknown
      ),
    ]
    lines += runPlaces(model) + owned(model)
    if row.refused > 0 {
      lines.append(.field("refused", "\(row.refused) after its end", role: .violation))
    }
    // If a subscription ends after the shown event but at the same time, the account contains its
    // end although the subscription is still live.
    let ending = row.state?.isLive == true ? nil : model.account?.ending
    if let ending { lines += EndingView.lines(ending, model) }
    lines.append(.heading("Connections"))
    if let signal = row.signal, inspection.signal(signal) != nil {
      lines.append(
        .field(
          "signal",
          ScreenFrame.name(.signal(signal), inspection),
          target: Place(.detail, scope: .signal(signal))
        )
      )
      if let name = row.composedName {
        lines.append(.field("its name", displayName(endOf: name, columns: 400)))
      }
    }
    lines.append(root(row, inspection))
    lines.append(feeds(row, inspection))
    for (index, upstream) in row.upstreams.prefix(8).enumerated() {
      lines.append(link(upstream, index == 0 ? "fed by" : "", "", inspection))
    }
    if row.upstreams.count > 8 { lines.append(.field("", "and \(row.upstreams.count - 8) more")) }
    lines += findings(model) { $0.subject == row.key }
    lines += findings(model, "Findings about its line, perhaps not about this subscription") {
      $0.subject != row.key && $0.site == row.site
    }
    lines += histograms(model)
    lines += backtrace(row.chain, model)
    if let chain = ending?.chain ?? end(of: row.key, inspection)?.chain, chain != 0 {
      lines += backtrace(chain, model, "Asynchronous backtrace: where it was ended")
    }
    lines += latest(row.key, model)
    return lines
  }

  private static func signal(_ row: SignalRow, _ model: Model) -> [DocumentLine] {
    let inspection = model.inspection
    var lines: [DocumentLine] = [
      .heading("Signal \(row.key.label)"),
      .field("operator", displayName(row.name, columns: 120), role: .strong),
      .field(
        "where",
        site(row.site, inspection),
        role: .site,
        target: Place(.detail, scope: .site(row.site))
      ),
      .field(
        "name",
        row.composedName.map { displayName(endOf: $0, columns: 400) } ?? Quantity.unknown
      ),
      .field("state", row.state?.rawValue ?? Quantity.unknown),
      .field("age", Quantity.duration(row.age)),
      .field(
        "subscribed",
        "\(Quantity.count(row.subscriptions)) now, \(Quantity.count(row.subscriptionsEver)) ever",
        target: Place(.subscriptions, scope: .signal(row.key))
      ),
      .heading("Connections"),
    ]
    for key in row.upstreams.prefix(8) {
      lines.append(
        .field(
          "made from",
          ScreenFrame.name(.signal(key), inspection),
          target: Place(.detail, scope: .signal(key))
        )
      )
    }
    for key in row.downstreams.prefix(8) {
      lines.append(
        .field(
          "used by",
          ScreenFrame.name(.signal(key), inspection),
          target: Place(.detail, scope: .signal(key))
        )
      )
    }
    if row.upstreams.isEmpty {
      lines.append(.field("made from", "no other signal: it is a source"))
    }
    lines += findings(model) { $0.site == row.site }
    lines += latest(row.key, model)
    return lines
  }

  private static func timer(_ row: TimerRow, _ model: Model) -> [DocumentLine] {
    let inspection = model.inspection
    var lines: [DocumentLine] = [
      .heading("Timer \(row.key.label)"),
      .field("armed by", displayName(row.name, columns: 120), role: .strong),
      .field(
        "where",
        site(row.site, inspection),
        role: .site,
        target: Place(.detail, scope: .site(row.site))
      ),
      .field("state", row.state?.rawValue ?? Quantity.unknown),
      .field("age", Quantity.duration(row.age)),
      .field(
        "period",
        row.period == .zero ? "fires once" : "every " + Quantity.duration(row.period)
      ),
      .field(
        "fired",
        "\(Quantity.count(row.fires)), the last time \(Quantity.duration(row.lastFireAge)) ago"
      ),
    ]
    if let idle = row.idleFires, idle > 0 {
      lines.append(
        .field("in vain", "\(idle) since the last one that led to any event", role: .suspect)
      )
    }
    lines.append(queue("fires on", row.scheduler, inspection))
    lines.append(.heading("Connections"))
    lines.append(link(row.subscription, "armed for", "the program's own code", inspection))
    lines += findings(model) { $0.subject == row.key || $0.site == row.site }
    lines += histograms(model)
    lines += backtrace(row.chain, model)
    lines += latest(row.key, model)
    return lines
  }

  private static func site(_ row: SiteRow, _ model: Model) -> [DocumentLine] {
    let inspection = model.inspection
    var lines: [DocumentLine] = [
      .heading("Line of code"),
      .field("operator", displayName(row.name, columns: 120), role: .strong),
      .field("where", displayName("\(row.file):\(row.line):\(row.column)"), role: .site),
    ]
    if row.kind == .owners {
      let live = "\(Quantity.count(row.ownersLive)) live"
      let ever = "\(Quantity.count(row.ownersCreated)) ever that got a subscription"
      lines.append(.field("owners", "\(live), \(ever)"))
    } else {
      lines.append(
        .field(
          "subscribed",
          "\(Quantity.count(row.live)) live, \(Quantity.count(row.subscribed)) ever",
          target: row.live == 0 ? nil : Place(.subscriptions, scope: .site(row.id))
        )
      )
    }
    let reasons = zip(EndReason.allCases, row.endedByReason).filter { $0.1 > 0 }
      .map { "\(Quantity.count($0.1)) \($0.0.text)" }
    if !reasons.isEmpty { lines.append(.field("ended", reasons.joined(separator: ", "))) }
    if let median = row.medianLifetime {
      lines.append(
        .field(
          "lifetime",
          "half of those ended lived at most \(Quantity.duration(median)), nearly all at most \(Quantity.duration(row.longLifetime))"
        )
      )
    }
    if let oldest = row.oldestAge { lines.append(.field("oldest live", Quantity.duration(oldest))) }
    if row.kind == .subscriptions { lines.append(.field("events", Quantity.count(row.events))) }
    if let refused = row.refused, refused > 0 {
      lines.append(
        .field("refused", "\(Quantity.count(refused)) after their end", role: .violation)
      )
    }
    let timers = inspection.timers.filter { $0.site == row.id }
    if (row.timersArmed ?? 0) > 0 || !timers.isEmpty {
      lines.append(
        .field(
          "timers",
          "\(Quantity.count(row.timersLive)) live, \(Quantity.count(row.timersArmed)) ever, "
            + "fired \(Quantity.count(row.timerFires))"
        )
      )
    }
    for timer in timers.prefix(16) {
      lines.append(
        .field(
          "timer \(timer.key.label)",
          "every \(Quantity.duration(timer.period)), fired \(Quantity.count(timer.fires)), "
            + "age \(Quantity.duration(timer.age))",
          target: Place(.detail, scope: .timer(timer.key))
        )
      )
    }
    if row.kind == .subscriptions, row.scheduler != nil {
      lines.append(queue("made on", row.scheduler, inspection))
    }
    lines += ownLevel(ofSite: row.id, inspection)
    if row.kind == .subscriptions { lines += runPlaces(model) + owned(model) }
    let account = model.account
    let areMadeHere = row.kind == .owners
    lines += findings(model) { $0.site == row.id }
    if let flow = account?.flow { lines += LineFlow(row, flow, inspection).lines }
    lines += AccountView.owners(
      areMadeHere ? "Owners made here" : "Owners of what lives here",
      account?.owners ?? [],
      ofLine: !areMadeHere
    )
    lines += lifetimes(row, model) + EndingView.list(account?.endings ?? [], model)
    return lines + histograms(model)
  }
}
