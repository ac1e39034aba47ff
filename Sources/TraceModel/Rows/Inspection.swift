public import TraceReading

/// Everything views and exports draw, at one instant of one trace.
///
/// The same for a running program, a paused one and a file: nothing in it tells how it was read. Rows
/// are in a stable order (sites by row, entities by creation) and text in them is as recorded: pass it
/// through ``displayName(_:columns:)`` before it is shown.
public struct Inspection: Sendable {
  /// The program and its trace.
  public var program = ProgramInfo()
  /// When this was the state of it.
  public var instant = InstantInfo()
  /// Lines of code, by row in the table of sites.
  public var sites: [SiteRow] = []
  /// Signals, by creation.
  ///
  /// Made when they are first asked for, as those of the other lists that have a row for each entity or record.
  public var signals: [SignalRow] {
    get { content.signals }
    _modify {
      own()
      yield &content.signals
    }
  }
  /// Subscriptions, by creation.
  public var subscriptions: [SubscriptionRow] {
    get { content.subscriptions }
    _modify {
      own()
      yield &content.subscriptions
    }
  }
  /// Timers, by creation.
  public var timers: [TimerRow] {
    get { content.timers }
    _modify {
      own()
      yield &content.timers
    }
  }
  /// Schedulers, by row in their table.
  public var schedulers: [SchedulerRow] = []
  /// The latest records up to the instant, oldest first, at most ``eventLimit``.
  public var events: [EventRow] {
    get { content.events }
    _modify {
      own()
      yield &content.events
    }
  }
  /// All records up to the instant as rows, to be searched: how they are made and how many records there are; nil where
  /// ``events`` were put in by hand.
  package var recordedEvents: (log: EventLog, count: Int)? { content.recordedEvents }
  /// When an event was; nil if the recording does not have it.
  package func time(ofEvent number: UInt64) -> Duration? {
    guard let (log, _) = recordedEvents else {
      return events.first { $0.number == number }?.time
    }
    return log.time(ofNumber: number)
  }

  /// Marks up to the instant, oldest first.
  public var marks: [MarkRow] = []
  /// Marks that were set after the instant, where that is in the past: places to go to, and no more.
  public var laterMarks: [MarkRow] = []
  /// All marks, oldest first.
  public var allMarks: [MarkRow] { marks + laterMarks }
  /// In the order of their rank, worst first.
  public var findings: [Finding] = []
  /// What speaks for a fault and cannot be judged, because records are overwritten or were never written: a sentence for each line of code.
  public var doubts: [String] = []

  /// Records that an inspection carries as rows; a ``Timeline`` lists any others.
  public static let eventLimit = 500

  private var content: InspectionContent

  /// An inspection of nothing.
  public init() { content = InspectionContent() }

  /// One whose rows are made when they are asked for.
  init(_ builder: InspectionBuilder) { content = InspectionContent(builder) }

  private mutating func own() {
    if !isKnownUniquelyReferenced(&content) { content = content.copy() }
  }

  /// The row of a site.
  ///
  /// O(1) where every site has a row, O(log n) where some have none.
  public func site(_ id: UInt32) -> SiteRow? {
    let sites = sites
    // The first in the trace stands for none.
    let place = Int(id) - 1
    if sites.indices.contains(place), sites[place].id == id { return sites[place] }
    var rest = sites.indices
    while !rest.isEmpty {
      let middle = rest.lowerBound + rest.count / 2
      if sites[middle].id == id { return sites[middle] }
      rest =
        sites[middle].id < id ? middle + 1..<rest.upperBound : rest.lowerBound..<middle
    }
    return nil
  }

  /// How much is recorded of a line of code: what its place has of its own, or else the whole.
  public func level(ofSite id: UInt32) -> TraceLevel {
    program.level == .off ? .off : site(id)?.level ?? program.level
  }

  /// The row of a subscription.
  ///
  /// O(log n), and O(entities) the first time.
  public func subscription(_ key: EntityKey) -> SubscriptionRow? { subscriptionRows.row(of: key) }

  /// The row of a signal.
  ///
  /// O(log n), and O(entities) the first time.
  public func signal(_ key: EntityKey) -> SignalRow? { signalRows.row(of: key) }

  /// The row of a timer.
  ///
  /// O(log n) once there are rows.
  public func timer(_ key: EntityKey) -> TimerRow? { content.timer(key) }

  /// Who made subscriptions, as far as it was looked up; nil where the rows were put in by hand.
  package var callPaths: CallPaths? { content.builder?.callPaths }

  /// ``subscriptions`` without making them all.
  package var subscriptionRows: LazyRows<SubscriptionRow> { content.subscriptionRows }

  /// ``signals`` without making them all.
  package var signalRows: LazyRows<SignalRow> { content.signalRows }

  /// Who feeds whom; nil where the rows were put in by hand.
  package var subscriptionLinks: SubscriptionLinks? { content.subscriptionLinks }

  /// Subscriptions that have not ended; those of which that is unknown are left out.
  public var liveSubscriptions: Int { content.liveSubscriptions }
}
