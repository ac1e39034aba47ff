public import TraceModel
public import TraceReading

extension TraceSource {
  /// The answer to a question about the records.
  ///
  /// For a running program the answer may be slightly outdated, if a new one is expensive.
  ///
  /// - Throws: `TraceError` if the question is about a record or mark that the trace does not have.
  /// - Complexity: O(records); for a question about a stretch of time, O(records since its
  ///   beginning).
  public mutating func query(_ query: TraceQuery) throws(TraceError) -> TraceAnswer {
    if snapshot.processStatus == .running {
      if let answer = queryCache.recent(query) { return answer }
    } else if let answer = queryCache.same(query) {
      return answer
    }
    let start = ContinuousClock.now
    let answer = try self.answer(to: query)
    queryCache.keep(answer, to: query, since: start)
    return answer
  }

  /// How long the work of each line of code waited; nil if the records do not show it.
  ///
  /// - Complexity: O(records).
  package func waits() -> WaitReport? { WaitScan.report(snapshot) }

  /// The entity with the given number in the order of creation, including an ended one; nil if the
  /// trace does not mention it.
  ///
  /// - Complexity: O(records).
  public func entity(serial: UInt64) -> KnownEntity? {
    EntityStore(snapshot).life(EntityKey(id: .none, serial: serial))
      .map { KnownEntity(key: $0.key, kind: $0.kind, site: $0.site) }
  }

  private mutating func answer(to query: TraceQuery) throws(TraceError) -> TraceAnswer {
    switch query {
    case .marbles(let query):
      return .marbles(
        MarbleScan.chart(query, snapshot, living: living(at: query.from + query.span))
      )
    case .queues(let end): return .queues(QueueScan.report(upTo: end, snapshot))
    case .journey(let event):
      guard let journey = JourneyScan.journey(of: event, snapshot) else {
        throw TraceError(
          .malformed,
          "event #\(event) is not in the trace: it was never recorded, or the ring has overwritten it",
          path: snapshot.path
        )
      }
      return .journey(journey)
    case .base(let position): return .base(try base(position))
    case .histograms(let scope, let end):
      return .histograms(HistogramScan.histograms(scope, upTo: end, snapshot))
    case .flow(let from, let to):
      return .flow(FlowScan.report(from: from, to: to, snapshot))
    case .account(let scope, let end):
      return .account(AccountScan(upTo: end, snapshot).account(of: scope))
    case .moments(let query): return .moments(LaneMoment.lanes(query, snapshot))
    }
  }

  /// If at most this many records follow an instant, reading them is the fastest way to find out
  /// which entities were live at the instant.
  private static let fewRecords = 1 << 18

  /// The entities that were live at an instant, from the timeline; nil if the records that follow
  /// are few, or the timeline does not know all entities.
  private mutating func living(at time: Duration) -> [TracedEntity]? {
    let end = snapshot.ticks(at: time)
    guard snapshot.records.count - snapshot.records.count(upTo: end) > Self.fewRecords,
      let place = timeline?.place(.time(time)), let moment = timeline?.moment(at: place),
      moment.isExact
    else { return nil }
    return moment.state.entities.values
  }

  private func base(_ position: Position) throws(TraceError) -> SiteBase {
    // A copy moves to the past, so that this value keeps its position.
    var past = self
    var base = SiteBase(try past.inspection(at: position))
    if case .mark(let index) = position,
      let mark = snapshot.marks.first(where: { $0.index == index })
    {
      base.setCounts(from: mark, snapshot)
    }
    return base
  }
}

/// An entity of a trace, live or ended.
public struct KnownEntity: Sendable, Equatable {
  /// The key of the entity.
  public var key: EntityKey
  /// The kind of the entity.
  public var kind: EntityKind
  /// The row of its line of code in the table of sites.
  public var site: UInt32

  /// Describes an entity.
  public init(key: EntityKey, kind: EntityKind, site: UInt32) {
    self.key = key
    self.kind = kind
    self.site = site
  }
}
