import ReactiveTrace

/// Sums entities up by the line of code they come from.
struct SiteRows {
  private let builder: InspectionBuilder
  private let inspection: Inspection
  private var sums: [Sum]

  private struct Sum {
    var oldest: Duration?
    var lastEvent: Duration?
    var held: UInt64? = 0
    var live = 0
    var scheduler: String?
    var isMixed = false
    var newSinceMark = 0
  }

  init(_ builder: InspectionBuilder, _ inspection: Inspection) {
    self.builder = builder
    self.inspection = inspection
    let snapshot = builder.moment.snapshot
    sums = [Sum](repeating: Sum(), count: snapshot.sites.count)
    let sinceMark = inspection.marks.last.map { inspection.instant.time - $0.time }
    for row in inspection.subscriptions where Int(row.site) < sums.count {
      add(row, to: &sums[Int(row.site)], sinceMark)
    }
  }

  private func add(_ row: SubscriptionRow, to sum: inout Sum, _ sinceMark: Duration?) {
    if let age = row.age, let sinceMark, age < sinceMark { sum.newSinceMark += 1 }
    guard row.state?.isLive != false else { return }
    sum.live += 1
    if let age = row.age { sum.oldest = max(sum.oldest ?? age, age) }
    if let age = row.lastEventAge { sum.lastEvent = min(sum.lastEvent ?? age, age) }
    sum.held = sum.held.flatMap { held in row.held.map { held + UInt64($0) } }
    if sum.live == 1 {
      sum.scheduler = row.scheduler
    } else if sum.scheduler != row.scheduler {
      sum.isMixed = true
    }
  }

  /// A row for each site but the first, which stands for none.
  func rows() -> [SiteRow] {
    let sites = builder.moment.snapshot.sites
    return sites.indices.dropFirst().map { row(UInt32($0), sites[$0]) }
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
    row.location = site.location
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
    row.rate = builder.rates.ofSite(id)
    row.lastEventAge = sum.lastEvent
    row.oldestAge = sum.oldest
    row.held = sum.held
    row.scheduler = sum.isMixed ? nil : sum.scheduler
    if moment.isEnd {
      row.medianLifetime = Self.lifetime(site.lifetimes, 0.5)
      row.longLifetime = Self.lifetime(site.lifetimes, 0.99)
    }
    sinceMark(&row, sum)
    return row
  }

  private func sinceMark(_ row: inout SiteRow, _ sum: Sum) {
    guard let mark = inspection.marks.last,
      let counts = builder.moment.snapshot.marks.first(where: { $0.index == mark.id })
    else { return }
    row.newSinceMark = sum.newSinceMark
    let before = Int(row.id) < counts.live.count ? Int(counts.live[Int(row.id)]) : 0
    row.growthSinceMark = row.live.map { Int(clamping: $0) - before }
  }

  private func difference(_ more: UInt64?, _ less: UInt64?) -> UInt64? {
    guard let more, let less else { return nil }
    return more > less ? more - less : 0
  }

  /// The upper bound of the power of two in which that part of the lifetimes ends.
  private static func lifetime(_ histogram: [UInt32], _ part: Double) -> Duration? {
    let total = histogram.reduce(0) { $0 + UInt64($1) }
    guard total > 0 else { return nil }
    var left = UInt64((Double(total) * part).rounded(.up))
    for (power, count) in histogram.enumerated() {
      guard left > UInt64(count) else { return .nanoseconds(Int64(1) << Int64(min(power + 1, 62))) }
      left -= UInt64(count)
    }
    return nil
  }
}
