/// One line of code at two moments, or in two traces.
package struct DiffRow: Sendable {
  /// Row of the site in the later one; nil if it has none.
  package var site: UInt32?
  package var name = ""
  package var location = ""
  package var kind = SiteKind.subscriptions
  /// How many live, as Sites counts the line: subscriptions, or timers or owners.
  package var before: UInt64?
  package var after: UInt64?
  /// How many began in between, or more than in the other trace.
  package var begun: UInt64?
  /// Events in between, or fires of timers.
  package var events: UInt64?
  package var worst: FindingLevel?
  package var isOnlyBefore = false
  package var isOnlyAfter = false

  package var change: Int? {
    guard let before, let after else { return nil }
    return after >= before ? Int(clamping: after - before) : -Int(clamping: before - after)
  }

  package var isUnchanged: Bool { change == 0 && !isOnlyBefore && !(isOnlyAfter && after != 0) }

  package static func rows(_ inspection: Inspection, since base: SiteBase) -> [DiffRow] {
    inspection.sites.map { site in
      var row = DiffRow()
      row.site = site.id
      row.name = site.name
      row.location = site.location
      row.kind = site.kind
      row.after = site.liveOfKind
      row.worst = site.worst
      if let live = base.live[site.id] {
        row.before = live
        row.begun = difference(site.everOfKind, base.ever[site.id] ?? nil)
        row.events = difference(site.eventsOfKind, base.events[site.id] ?? nil)
      } else {
        row.before = 0
        row.begun = site.everOfKind
        row.events = site.eventsOfKind
        row.isOnlyAfter = true
      }
      return row
    } + base.missing
  }

  private static func difference(_ more: UInt64?, _ less: UInt64?) -> UInt64? {
    guard let more, let less else { return nil }
    return more > less ? more - less : 0
  }
}
