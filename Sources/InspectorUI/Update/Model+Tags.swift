import TraceModel

extension Model {
  /// Whether the subject of a row (such as a line of code or a subscription) is tagged.
  func isTagged(_ scope: Scope?) -> Bool { scope.map(tags.contains) ?? false }

  /// Tags the selected row, or removes its tag, and moves to the next row.
  mutating func tag() {
    guard let scope = selectedScope, Self.canBeTagged(scope) else {
      showNote(
        "There is nothing here that could be tagged; sites, signals, subscriptions and timers can."
      )
      return
    }
    if let place = tags.firstIndex(of: scope) {
      tags.remove(at: place)
    } else {
      tags.append(scope)
    }
    move(to: place.list.index + 1)
    showNote("\(Quantity.of(tags.count, "row", "rows")) tagged; a draws them as marbles.")
  }

  /// Tags all rows of the screen that belong to the same line of code as the selected row.
  mutating func tagAlike() {
    guard let scope = selectedScope, Self.canBeTagged(scope), let site = site(of: scope) else {
      showNote(
        "There is nothing here that could be tagged; sites, signals, subscriptions and timers can."
      )
      return
    }
    guard let table = place.screen.table else {
      tag()
      return
    }
    // Only the first rows are examined, because there may be millions of events.
    for index in 0..<min(rows.count, 100_000) {
      guard let row = rows.place(at: index), let other = table.subject(self, at: row),
        self.site(of: other) == site,
        !tags.contains(other), tags.count < 1000
      else { continue }
      tags.append(other)
    }
    showNote("\(Quantity.of(tags.count, "row", "rows")) tagged; a draws them as marbles.")
  }

  /// The line of code to which the subject of a scope belongs.
  func site(of scope: Scope) -> UInt32? {
    switch scope {
    case .site(let site): site
    case .signal(let key): inspection.signal(key)?.site
    case .subscription(let key): inspection.subscription(key)?.site
    case .timer(let key): inspection.timer(key)?.site
    case .all, .chain, .queue, .owner, .owners, .record: nil
    }
  }

  /// The queue on which the subject of a scope was made; the subject itself if it is a queue.
  func queue(of scope: Scope) -> UInt32? {
    let name: String? =
      switch scope {
      case .queue(let queue): inspection.schedulers.first { $0.id == queue }?.name
      case .site(let site): inspection.site(site)?.scheduler
      case .subscription(let key): inspection.subscription(key)?.scheduler
      case .timer(let key): inspection.timer(key)?.scheduler
      case .all, .chain, .signal, .owner, .owners, .record: nil
      }
    return name.flatMap { name in inspection.schedulers.first { $0.name == name }?.id }
  }

  static func canBeTagged(_ scope: Scope) -> Bool {
    switch scope {
    case .site, .signal, .subscription, .timer: true
    case .all, .chain, .queue, .owner, .owners, .record: false
    }
  }

  // MARK: History

  /// Goes back to the screen that was shown before, or forward again.
  mutating func travelHistory(forward: Bool) {
    guard let newPath = forward ? future.popLast() : past.popLast() else {
      showNote("There is no further screen that way.")
      return
    }
    if forward { past.append(path) } else { future.append(path) }
    path = newPath
    isTravellingInHistory = true
  }

  // MARK: The line of source

  /// Opens the selected line of code in an editor.
  mutating func edit() -> [Effect] {
    let scope = selectedScope ?? place.scope
    // What has ended may have no row any more, but Detail shows its account.
    let known = site(of: scope) ?? (scope == place.scope ? account?.life?.site : nil)
    guard let site = known.flatMap(inspection.site) else {
      showNote("There is no line of source here; select a row of Sites, Signals or Subscriptions.")
      return []
    }
    return [.edit(file: site.file, line: site.line)]
  }

  /// The settings, updated with the current screen, filter and orders.
  var currentSettings: Settings {
    var settings = settings
    settings.screen = path.last { Screen.inBar.contains($0.screen) }?.screen
    settings.filter = filter.text
    for place in remembered.values + path {
      guard let order = place.sort else { continue }
      settings.sort[place.screen] =
        "\(order.column == "!" ? "findings" : order.column) \(order.ascending ? "up" : "down")"
    }
    return settings
  }
}
