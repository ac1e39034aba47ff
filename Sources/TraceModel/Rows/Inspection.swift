public import TraceReading

/// Everything that views and exports show, at one instant of one trace.
///
/// Its form is the same for a running program, a paused one and a file, because nothing in it
/// depends on how the trace was read. Rows are in a stable order (sites by row, entities by
/// creation). Text in rows is as recorded: pass it through ``displayName(_:columns:)`` before it is
/// shown.
public struct Inspection: Sendable {
  /// The program and its trace.
  public var program = ProgramInfo()
  /// The instant to which this state belongs.
  public var instant = InstantInfo()
  /// Lines of code, by row in the table of sites.
  public var sites: [SiteRow] = []
  /// Signals, in the order of creation.
  ///
  /// The list is made on first access, and so are the other lists with a row for each entity or
  /// record.
  public var signals: [SignalRow] {
    get { content.signals }
    _modify {
      own()
      yield &content.signals
    }
  }
  /// Subscriptions, in the order of creation.
  public var subscriptions: [SubscriptionRow] {
    get { content.subscriptions }
    _modify {
      own()
      yield &content.subscriptions
    }
  }
  /// Timers, in the order of creation.
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
  /// All records up to the instant, for searching: the log that makes their rows, and their number;
  /// nil if ``events`` was assigned.
  package var recordedEvents: (log: EventLog, count: Int)? { content.recordedEvents }
  /// The time of an event; nil if the recording does not have it.
  package func time(ofEvent number: UInt64) -> Duration? {
    guard let (log, _) = recordedEvents else {
      return events.first { $0.number == number }?.time
    }
    return log.time(ofNumber: number)
  }

  /// Marks up to the instant, oldest first.
  public var marks: [MarkRow] = []
  /// Marks that were set after the instant, if the instant is in the past.
  ///
  /// They are listed only for navigation.
  public var laterMarks: [MarkRow] = []
  /// All marks, oldest first.
  public var allMarks: [MarkRow] { marks + laterMarks }
  /// Findings, the worst first.
  public var findings: [Finding] = []
  /// Signs of faults that cannot be judged, because records are overwritten or were never written:
  /// one sentence for each line of code.
  public var doubts: [String] = []

  /// The maximum number of records that an inspection has as rows; a ``Timeline`` lists the others.
  public static let eventLimit = 500

  private var content: InspectionContent

  /// An empty inspection.
  public init() { content = InspectionContent() }

  /// An inspection whose rows are made on first access.
  init(_ builder: InspectionBuilder) { content = InspectionContent(builder) }

  private mutating func own() {
    if !isKnownUniquelyReferenced(&content) { content = content.copy() }
  }

  /// The row of a site.
  ///
  /// - Complexity: O(1) if every site has a row, O(log n) if some have none.
  public func site(_ id: UInt32) -> SiteRow? {
    let sites = sites
    // Row 0 of the trace means "no site".
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

  /// The level at which a line of code is recorded: that of its file or module, if that has a level
  /// of its own, or else that of the recording.
  public func level(ofSite id: UInt32) -> TraceLevel {
    program.level == .off ? .off : site(id)?.level ?? program.level
  }

  /// The row of a subscription.
  ///
  /// - Complexity: O(log n), and O(entities) the first time.
  public func subscription(_ key: EntityKey) -> SubscriptionRow? { subscriptionRows.row(of: key) }

  /// The row of a signal.
  ///
  /// - Complexity: O(log n), and O(entities) the first time.
  public func signal(_ key: EntityKey) -> SignalRow? { signalRows.row(of: key) }

  /// The row of a timer.
  ///
  /// - Complexity: O(log n), and O(entities) the first time.
  public func timer(_ key: EntityKey) -> TimerRow? { content.timer(key) }

  /// The callers of subscriptions, as far as they have been looked up; nil for an inspection that
  /// was not made from a trace.
  package var callPaths: CallPaths? { content.builder?.callPaths }

  /// The same rows as ``subscriptions``, each made on access.
  package var subscriptionRows: LazyRows<SubscriptionRow> { content.subscriptionRows }

  /// The same rows as ``signals``, each made on access.
  package var signalRows: LazyRows<SignalRow> { content.signalRows }

  /// The connections between subscriptions; nil if ``subscriptions`` was read or modified, or if
  /// the rows do not come from a trace.
  package var subscriptionLinks: SubscriptionLinks? { content.subscriptionLinks }

  /// The number of subscriptions that are known to be live.
  public var liveSubscriptions: Int { content.liveSubscriptions }
}
