import TraceReading

extension TraceSite {
  /// Whether the row is empty.
  ///
  /// No recorder writes such a row.
  fileprivate var isNothing: Bool {
    name.isEmpty && file.isEmpty && line == 0 && traits.isEmpty && signalsCreated == 0
      && subscribed == 0 && timersArmed == 0 && ownersCreated == 0 && refused == 0
  }
}

/// Sums up entities by their line of code.
struct SiteRows {
  private let builder: InspectionBuilder
  /// The latest mark before the instant, with its counts of sites.
  private let mark: TraceMark?
  private var sums: [Sum]

  private struct Sum {
    var oldest = UInt64.max
    var lastEvent: UInt64 = 0
    var held: UInt64? = 0
    var live = 0
    var scheduler: UInt32 = 0
    var isMixed = false
    var newSinceMark = 0
    /// The number of the name that the program gave to a signal of the line; 0 if it gave none.
    var name: UInt32 = 0
  }

  init(_ builder: InspectionBuilder, _ mark: MarkRow?) {
    self.builder = builder
    let snapshot = builder.moment.snapshot
    self.mark = mark.flatMap { mark in snapshot.marks.first { $0.index == mark.id } }
    sums = [Sum](repeating: Sum(), count: snapshot.sites.count)
    for entity in builder.moment.state.entities.values { add(entity) }
    for entity in builder.gone { add(entity) }
  }

  private mutating func add(_ entity: TracedEntity) {
    let site = Int(entity.site)
    guard site < sums.count else { return }
    if entity.kind == .signal, sums[site].name == 0 { sums[site].name = entity.name }
    guard entity.kind == .subscription else { return }
    guard entity.state?.isLive != false else { return }
    sums[site].live += 1
    if let mark, entity.createdAt > mark.ticks { sums[site].newSinceMark += 1 }
    if entity.createdAt > 0 { sums[site].oldest = min(sums[site].oldest, entity.createdAt) }
    if let ticks = entity.lastEventAt { sums[site].lastEvent = max(sums[site].lastEvent, ticks) }
    if let held = entity.depth {
      sums[site].held = sums[site].held.map { $0 + min(held, UInt64(UInt32.max)) }
    } else {
      sums[site].held = nil
    }
    if sums[site].live == 1 {
      sums[site].scheduler = entity.scheduler
    } else if sums[site].scheduler != entity.scheduler {
      let (one, other) = (sums[site].scheduler, entity.scheduler)
      if builder.scheduler(one) != builder.scheduler(other) { sums[site].isMixed = true }
    }
  }

  /// A row for each site, except row 0, which means "no site", and sites of which nothing is known.
  func rows() -> [SiteRow] {
    let sites = builder.moment.snapshot.sites
    return sites.indices.dropFirst().filter { !sites[$0].isNothing || sums[$0].live > 0 }
      .map { row(UInt32($0), sites[$0]) }
  }

  private func row(_ id: UInt32, _ site: TraceSite) -> SiteRow {
    let moment = builder.moment
    let sum = sums[Int(id)]
    var row = SiteRow()
    row.id = id
    row.name = site.name
    row.file = site.file
    row.line = site.line
    row.column = site.column
    row.traits = site.traits
    row.level = site.level
    row.location = site.location
    row.kind = SiteKind(site)
    row.givenName = sum.name == 0 ? nil : moment.snapshot.string(sum.name)
    row.history = builder.history
    row.subscribed = moment.count(.subscribed, of: id)
    let ends = SiteCounter.ends.compactMap { moment.count($0, of: id) }
    if ends.count == SiteCounter.ends.count {
      row.endedByReason = ends
      row.ended = ends.reduce(0) { $0.saturatingAdding($1) }
    }
    row.live = difference(row.subscribed, row.ended)
    row.signalsCreated = moment.count(.signalsCreated, of: id)
    row.signals = difference(row.signalsCreated, moment.count(.signalsReleased, of: id))
    row.events = moment.count(.events, of: id)
    row.refused = moment.count(.refused, of: id)
    row.disposablesReleased = moment.count(.disposablesReleased, of: id)
    row.timersArmed = moment.count(.timersArmed, of: id)
    row.timersLive = difference(row.timersArmed, moment.count(.timersEnded, of: id))
    row.timerFires = moment.count(.timerFires, of: id)
    row.ownersCreated = moment.count(.ownersCreated, of: id)
    row.ownersLive = difference(row.ownersCreated, moment.count(.ownersEnded, of: id))
    row.rate = builder.rates.ofSite(id) ?? builder.counterRates.map { $0.sites[id] ?? 0 }
    // A subscription whose slot is lost may have had a later event.
    let isIncomplete = moment.isEnd && moment.snapshot.lostEntries[.slab] != nil
    if !isIncomplete || row.live == UInt64(sum.live) {
      row.lastEventAge = moment.age(sum.lastEvent)
    }
    row.oldestAge = sum.oldest == .max ? nil : moment.age(sum.oldest)
    row.held = sum.held
    row.scheduler = sum.isMixed || sum.live == 0 ? nil : builder.scheduler(sum.scheduler)
    if moment.isEnd, !site.isLost {
      row.medianLifetime = lifetime(site, 0.5)
      row.lifetimes = site.lifetimes
      row.longLifetime = lifetime(site, 0.99)
    }
    sinceMark(&row, sum)
    return row
  }

  private func sinceMark(_ row: inout SiteRow, _ sum: Sum) {
    // If marks are lost, the latest one may be among them. The counts since an earlier mark would
    // then be taken for counts since the latest.
    let lost = builder.moment.snapshot.lostEntries
    guard let mark, lost[.marks] == nil else { return }
    row.newSinceMark = sum.newSinceMark
    guard !mark.hasLostCounts else { return }
    let before = Int(row.id) < mark.live.count ? Int(mark.live[Int(row.id)]) : 0
    row.growthSinceMark = row.live.map { Int(clamping: $0) - before }
  }

  private func difference(_ more: UInt64?, _ less: UInt64?) -> UInt64? {
    guard let more, let less else { return nil }
    return more > less ? more - less : 0
  }

  /// The lifetime that the given share of subscriptions did not exceed, but at most the length of
  /// the recording so far.
  private func lifetime(_ site: TraceSite, _ part: Double) -> Duration? {
    guard site.lifetimes.contains(where: { $0 > 0 }) else { return nil }
    let recorded = builder.moment.age(builder.moment.snapshot.header.start.ticks)
    return [site.lifetimeBound(of: part), recorded].compactMap { $0 }.min()
  }
}
