/// A row of the site table before its strings are known (TraceFormat §7).
struct SiteRow {
  var site = TraceSite()
  let name: UInt32
  let file: UInt32

  /// A row of which nothing is known.
  static let lost = SiteRow()

  private init() {
    (name, file) = (0, 0)
    (site.isLost, site.name, site.file) = (true, "?", "?")
  }

  init(_ row: UnsafeRawBufferPointer) {
    name = Layout.Site.name.load(from: row)
    file = Layout.Site.file.load(from: row)
    site.line = Layout.Site.line.load(from: row)
    site.column = Layout.Site.column.load(from: row)
    site.traits = SiteTraits(rawValue: Layout.Site.traits.load(from: row))
    let level = Layout.Site.level.load(from: row)
    // All that is known of a level that a later version has added is that it includes lifetimes.
    site.level = level == 0 ? nil : TraceLevel(rawValue: level) ?? .graph
    site.minimumLive = Layout.Site.minimumLive.load(from: row)
    site.signalsCreated = Layout.Site.signalsCreated.load(from: row)
    site.signalsReleased = Layout.Site.signalsReleased.load(from: row)
    // A reader that loads from a mapping has to load the ends before the beginnings, as here, so
    // that a count of live subscriptions is never negative. This row is a copy, so the order does
    // not matter here.
    site.ended = EndReason.allCases.map { Layout.Site.ended(Int($0.rawValue)).load(from: row) }
    site.subscribed = Layout.Site.subscribed.load(from: row)
    site.released = Layout.Site.released.load(from: row)
    site.eventsOfReleased = Layout.Site.eventsOfReleased.load(from: row)
    site.refused = Layout.Site.refused.load(from: row)
    site.disposablesReleased = Layout.Site.disposablesReleased.load(from: row)
    site.timersArmed = Layout.Site.timersArmed.load(from: row)
    site.timersEnded = Layout.Site.timersEnded.load(from: row)
    site.timerFires = Layout.Site.timerFires.load(from: row)
    site.ownersEnded = Layout.Site.ownersEnded.load(from: row)
    site.ownersCreated = Layout.Site.ownersCreated.load(from: row)
    site.lifetimes = (0..<Layout.Site.lifetimeCount).map {
      Layout.Site.lifetime($0).load(from: row)
    }
  }
}
