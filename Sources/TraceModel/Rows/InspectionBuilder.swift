package import TraceReading

/// Creates the rows of an ``Inspection`` for one moment.
///
/// A class, because its contents are too large to be copied for each row.
package final class InspectionBuilder: Sendable {
  package let moment: Moment
  let window: ExactWindow?
  let rates: Rates
  /// Rates computed from counters, if records do not provide them.
  let counterRates: CounterRates?
  /// Entities released recently.
  let gone: [TracedEntity]
  let signalNames: SignalNames
  /// The live counts of subscriptions at marks.
  let history: LiveHistory
  /// The callers of subscriptions; the same instance for all inspections of an open trace.
  package let callPaths: CallPaths
  let snapshot: TraceSnapshot
  /// The texts of sites, computed once for all rows.
  private let names: [String]
  private let locations: [String]
  private let modules: [String]
  private let traits: [SiteTraits]
  private let schedulerNames: [String?]

  package init(
    _ moment: Moment,
    window: ExactWindow?,
    counterRates: CounterRates? = nil,
    callPaths: CallPaths? = nil
  ) {
    self.moment = moment
    callPaths?.update(moment.snapshot)
    self.callPaths = callPaths ?? CallPaths(moment.snapshot)
    self.window = window
    self.counterRates = counterRates
    snapshot = moment.snapshot
    rates = Rates(moment, window)
    names = snapshot.sites.map(\.name)
    locations = snapshot.sites.map(\.location)
    modules = snapshot.sites.map(\.file.module)
    traits = snapshot.sites.map(\.traits)
    gone = moment.state.gone.filter { moment.age($0.endedAt).map { $0 <= Self.newUntil } ?? false }
    signalNames = SignalNames(moment, gone: gone)
    history = LiveHistory(snapshot, upTo: moment.now)
    let snapshot = moment.snapshot
    schedulerNames = snapshot.schedulers.indices.map { snapshot.schedulerName(UInt32($0)) }
  }

  /// The age after which a change is no longer shown as new.
  static let newUntil = Duration.seconds(2)

  /// The inspection, including its findings.
  ///
  /// - Parameter findings: Computes the findings, or returns those found before: findings are about
  ///   the whole recording, whatever instant is shown.
  /// - Returns: The rows and the findings.
  package func build(_ findings: (Inspection) -> [Finding]) -> Inspection {
    var inspection = inspection()
    inspection.add(findings(inspection))
    return inspection
  }

  /// The inspection without findings.
  private func inspection() -> Inspection {
    var inspection = Inspection(self)
    inspection.program = ProgramInfo(snapshot, window: window)
    inspection.instant = moment.instant
    let marks = marks()
    inspection.marks = marks.reached
    inspection.laterMarks = marks.later
    inspection.schedulers = schedulers()
    inspection.sites = SiteRows(self, inspection.marks.last).rows()
    return inspection
  }

  // MARK: Rows of entities

  func timers() -> [TimerRow] {
    let order = EntityOrder(of: .timer, self)
    return (0..<order.count).map { timer(order[$0]) }
  }

  func events() -> [EventRow] {
    eventLog.rows(upTo: moment.recordCount, limit: Inspection.eventLimit)
  }

  var eventLog: EventLog {
    EventLog(snapshot, first: window?.firstGeneration ?? snapshot.firstExactGeneration)
  }

  // MARK: Entities

  package func key(_ id: TraceID) -> EntityKey? {
    guard id != .none else { return nil }
    return moment.state.entities.place(of: id).map { moment.state.entities.values[$0].key }
      ?? EntityKey(id: id, serial: 0)
  }

  fileprivate func change(_ entity: TracedEntity) -> RowChange {
    if let state = entity.state, !state.isLive { return .ended }
    return (moment.age(entity.createdAt) ?? .zero) <= Self.newUntil ? .new : .none
  }

  /// Events per second of a subscription in the last seconds.
  package func rate(_ entity: TracedEntity) -> Double? {
    rates.of(entity) ?? counterRates?.entities[entity.key.id]
  }

  func name(_ site: UInt32) -> String {
    Int(site) < names.count ? names[Int(site)] : "?"
  }

  func traits(_ site: UInt32) -> SiteTraits {
    Int(site) < traits.count ? traits[Int(site)] : []
  }

  package func isRoot(_ site: UInt32) -> Bool {
    traits(site).contains(.root)
  }

  func location(_ site: UInt32) -> String {
    Int(site) < locations.count ? locations[Int(site)] : "?"
  }

  func module(_ site: UInt32) -> String {
    Int(site) < modules.count ? modules[Int(site)] : ""
  }

  package func scheduler(_ row: UInt32) -> String? {
    Int(row) < schedulerNames.count ? schedulerNames[Int(row)] : nil
  }

  /// The row of a signal, without the connections that ``SignalLinks`` provides.
  func signal(_ entity: TracedEntity) -> SignalRow {
    var row = SignalRow(key: entity.key)
    row.site = entity.site
    row.name = name(entity.site)
    row.location = location(entity.site)
    row.module = module(entity.site)
    row.givenName = entity.name == 0 ? nil : snapshot.string(entity.name)
    row.naming = SignalNaming(signalNames, entity.key.id)
    row.state = entity.lifeState
    row.age = moment.age(entity.createdAt)
    row.subscriptions = entity.depth
    row.subscriptionsEver = entity.count
    row.history = history
    row.change = change(entity)
    return row
  }

  private func timer(_ entity: TracedEntity) -> TimerRow {
    var row = TimerRow(key: entity.key)
    row.site = entity.site
    row.name = name(entity.site)
    row.location = location(entity.site)
    row.module = module(entity.site)
    row.state = entity.state
    row.period = .microseconds(Int64(entity.period))
    row.fires = entity.count
    row.rate = rates.of(entity)
    row.idleFires = entity.depth.map { UInt32(clamping: $0) }
    row.subscription = key(entity.link)
    row.isOfUserCode = entity.link == .none
    row.age = moment.age(entity.createdAt)
    row.lastFireAge = moment.age(entity.lastEventAt)
    row.scheduler = scheduler(entity.scheduler)
    row.chain = entity.chain
    row.change = change(entity)
    return row
  }

  // MARK: Tables

  private func marks() -> (reached: [MarkRow], later: [MarkRow]) {
    let isReached = { [now = moment.now] (mark: TraceMark) in mark.ticks <= now }
    return (
      snapshot.marks.filter(isReached).map(row), snapshot.marks.filter { !isReached($0) }.map(row)
    )
  }

  private func row(_ mark: TraceMark) -> MarkRow {
    var row = MarkRow()
    row.id = mark.index
    row.time = snapshot.time(mark.ticks)
    row.name = mark.name
    row.kind = mark.kind
    row.liveSignals = mark.liveSignals
    row.liveSubscriptions = mark.liveSubscriptions
    row.liveTimers = mark.liveTimers
    row.heapInUse = mark.heapInUse
    row.residentSize = mark.residentSize
    return row
  }

  private func schedulers() -> [SchedulerRow] {
    let hasTimers = snapshot.sites.contains { $0.timersArmed > 0 || $0.isLost }
    return snapshot.schedulers.indices.dropFirst().map { index in
      var row = SchedulerRow()
      row.id = UInt32(index)
      row.name = snapshot.schedulers[index].name
      row.kind = snapshot.schedulers[index].kind
      row.scheduled = moment.work(\.scheduled, \.scheduled, of: index)
      row.begun = moment.work(\.begun, \.begun, of: index)
      row.cancelled = moment.work(\.cancelled, \.cancelled, of: index)
      // The work of a timer is accepted once and begins many times, and is not pending in between.
      if !hasTimers, let scheduled = row.scheduled, let begun = row.begun,
        let cancelled = row.cancelled
      {
        let done = begun.saturatingAdding(cancelled)
        row.waiting = scheduled > done ? scheduled - done : 0
      }
      row.rate = rates.ofScheduler(UInt32(index))
      return row
    }
  }
}

extension SubscriptionRow {
  /// The row of a subscription, initialised in place: there may be a hundred thousand of them.
  init(_ entity: TracedEntity, _ links: SubscriptionLinks, _ index: Int) {
    let builder = links.order.builder
    key = entity.key
    site = entity.site
    state = entity.state
    endReason = entity.reason
    age = builder.moment.age(entity.createdAt)
    events = entity.count
    rate = builder.rate(entity)
    lastEventAge = builder.moment.age(entity.lastEventAt)
    held = entity.depth.map { UInt32(clamping: $0) }
    refused = entity.refused
    isDisposableReleased = entity.isDisposableReleased
    signalLink = .id(entity.signal)
    downstreamLink = .id(entity.link)
    rootLink = .root
    place = (links, index)
    level = links.level(of: index)
    traits = builder.traits(entity.site)
    isRoot = traits.contains(.root)
    schedulerGroup = Int(entity.scheduler)
    chain = entity.chain
    change = builder.change(entity)
  }
}

extension Inspection {
  /// Adds findings and marks the sites that they accuse.
  fileprivate mutating func add(_ findings: [Finding]) {
    self.findings = findings
    var worst: [UInt32: FindingLevel] = [:]
    for finding in findings {
      worst[finding.site] = max(worst[finding.site] ?? .info, finding.level)
    }
    for row in sites.indices { sites[row].worst = worst[sites[row].id] }
  }
}
