import Glibc
import TraceReading

/// The lists of an inspection that may have hundreds of thousands of rows, made on first access.
///
/// Most screens show only a few of these rows, and the counts by line of code do not need them.
///
/// `@unchecked Sendable`: mutable state is only accessed with the mutex held, or by its unique
/// owner.
final class InspectionContent: @unchecked Sendable {
  /// Makes the rows; nil if they do not come from a trace.
  let builder: InspectionBuilder?
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var madeSubscriptions: [SubscriptionRow]?
  private var madeSignals: [SignalRow]?
  private var madeTimers: [TimerRow]?
  private var madeEvents: [EventRow]?
  /// Whether `events` was modified, so that it may differ from the events of the trace.
  private var hasOwnEvents = false
  /// The entities and connections from which rows are made, unless the lists have already been made
  /// or assigned.
  private var madeSubscriptionLinks: SubscriptionLinks?
  private var madeSignalLinks: SignalLinks?

  init(_ builder: InspectionBuilder? = nil) {
    self.builder = builder
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func copy() -> InspectionContent {
    let copy = InspectionContent(builder)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    copy.madeSubscriptions = madeSubscriptions
    copy.madeSignals = madeSignals
    copy.madeTimers = madeTimers
    copy.madeEvents = madeEvents
    copy.hasOwnEvents = hasOwnEvents
    copy.madeSubscriptionLinks = madeSubscriptionLinks
    copy.madeSignalLinks = madeSignalLinks
    return copy
  }

  private func made<Value>(
    _ value: ReferenceWritableKeyPath<InspectionContent, Value?>,
    _ make: () -> Value
  ) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let value = self[keyPath: value] { return value }
    let new = make()
    self[keyPath: value] = new
    return new
  }

  // MARK: Rows

  /// The list of subscriptions.
  ///
  /// Only the unique owner of this object may modify the list.
  var subscriptions: [SubscriptionRow] {
    get { allSubscriptions() }
    _modify {
      var rows = allSubscriptions()
      madeSubscriptions = []
      defer { madeSubscriptions = rows }
      yield &rows
    }
  }

  var signals: [SignalRow] {
    get { allSignals() }
    _modify {
      var rows = allSignals()
      madeSignals = []
      defer { madeSignals = rows }
      yield &rows
    }
  }

  var timers: [TimerRow] {
    get { made(\.madeTimers) { builder?.timers() ?? [] } }
    _modify {
      var rows = made(\.madeTimers) { builder?.timers() ?? [] }
      madeTimers = []
      defer { madeTimers = rows }
      yield &rows
    }
  }

  var events: [EventRow] {
    get { made(\.madeEvents) { builder?.events() ?? [] } }
    _modify {
      var rows = made(\.madeEvents) { builder?.events() ?? [] }
      hasOwnEvents = true
      madeEvents = []
      defer { madeEvents = rows }
      yield &rows
    }
  }

  var recordedEvents: (log: EventLog, count: Int)? {
    guard let builder, !locked(\.hasOwnEvents) else { return nil }
    return (builder.eventLog, builder.moment.recordCount)
  }

  private func allSubscriptions() -> [SubscriptionRow] {
    let rows = subscriptionRows
    return made(\.madeSubscriptions) { Array(rows) }
  }

  private func allSignals() -> [SignalRow] {
    let rows = signalRows
    return made(\.madeSignals) { Array(rows) }
  }

  // MARK: Rows one at a time

  /// The same rows as ``subscriptions``, each made on access.
  var subscriptionRows: LazyRows<SubscriptionRow> {
    if let rows = locked(\.madeSubscriptions) { return LazyRows(rows) }
    return subscriptionLinks.map { LazyRows($0) } ?? LazyRows([])
  }

  /// The connections between subscriptions; nil if `subscriptions` was read or modified, or if
  /// the rows do not come from a trace.
  var subscriptionLinks: SubscriptionLinks? {
    guard let builder, locked(\.madeSubscriptions) == nil else { return nil }
    return made(\.madeSubscriptionLinks) {
      SubscriptionLinks(EntityOrder(of: .subscription, builder))
    }
  }

  var signalRows: LazyRows<SignalRow> {
    if let rows = locked(\.madeSignals) { return LazyRows(rows) }
    guard let builder else { return LazyRows([]) }
    let links = made(\.madeSignalLinks) { SignalLinks(EntityOrder(of: .signal, builder)) }
    return LazyRows(links.order) { links.row(at: $0) }
  }

  func timer(_ key: EntityKey) -> TimerRow? { LazyRows(timers).row(of: key) }

  /// The number of subscriptions that are known to be live.
  var liveSubscriptions: Int {
    guard let builder else {
      return locked(\.madeSubscriptions)?.count { $0.state?.isLive == true } ?? 0
    }
    return builder.moment.state.entities.values.count {
      $0.kind == .subscription && $0.isLive == true
    }
  }

  private func locked<Value>(_ value: KeyPath<InspectionContent, Value>) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return self[keyPath: value]
  }
}
