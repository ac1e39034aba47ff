import Glibc
import ReactiveTrace

/// The rows of an inspection of which there may be hundreds of thousands, made when they are asked for.
///
/// Most screens show a few lines of them; the counts by line of code do without.
///
/// `@unchecked Sendable`: what changes is only touched with the mutex held, or by the one owner of it.
final class InspectionContent: @unchecked Sendable {
  /// What rows are made of; nil where they were put in by hand.
  let builder: InspectionBuilder?
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var madeSubscriptions: [SubscriptionRow]?
  private var madeSignals: [SignalRow]?
  private var madeTimers: [TimerRow]?
  private var madeEvents: [EventRow]?

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
    return copy
  }

  private func made<Row>(
    _ rows: ReferenceWritableKeyPath<InspectionContent, [Row]?>,
    _ make: (InspectionBuilder) -> [Row]
  ) -> [Row] {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let rows = self[keyPath: rows] { return rows }
    let new = builder.map(make) ?? []
    self[keyPath: rows] = new
    return new
  }

  // MARK: Rows

  /// Each may be changed by the one owner, once it was read.
  var subscriptions: [SubscriptionRow] {
    get { made(\.madeSubscriptions) { $0.subscriptions() } }
    _modify {
      var rows = made(\.madeSubscriptions) { $0.subscriptions() }
      madeSubscriptions = []
      defer { madeSubscriptions = rows }
      yield &rows
    }
  }

  var signals: [SignalRow] {
    get { made(\.madeSignals) { $0.signals() } }
    _modify {
      var rows = made(\.madeSignals) { $0.signals() }
      madeSignals = []
      defer { madeSignals = rows }
      yield &rows
    }
  }

  var timers: [TimerRow] {
    get { made(\.madeTimers) { $0.timers() } }
    _modify {
      var rows = made(\.madeTimers) { $0.timers() }
      madeTimers = []
      defer { madeTimers = rows }
      yield &rows
    }
  }

  var events: [EventRow] {
    get { made(\.madeEvents) { $0.events() } }
    _modify {
      var rows = made(\.madeEvents) { $0.events() }
      madeEvents = []
      defer { madeEvents = rows }
      yield &rows
    }
  }

  // MARK: Single rows

  /// The row of one subscription, without those of all others where they were not made yet.
  func subscription(_ key: EntityKey) -> SubscriptionRow? {
    if let rows = locked(\.madeSubscriptions) { return Self.find(key, in: rows) }
    guard let builder else { return nil }
    return builder.subscription(key)
  }

  func signal(_ key: EntityKey) -> SignalRow? { Self.find(key, in: signals) }
  func timer(_ key: EntityKey) -> TimerRow? { Self.find(key, in: timers) }

  /// Subscriptions that have not ended; those of unknown state are left out.
  var liveSubscriptions: Int {
    if let rows = locked(\.madeSubscriptions) { return rows.count { $0.state?.isLive == true } }
    guard let builder else { return 0 }
    return builder.moment.state.entities.values.count {
      $0.kind == .subscription && $0.state?.isLive == true
    }
  }

  private func locked<Value>(_ value: KeyPath<InspectionContent, Value>) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return self[keyPath: value]
  }

  private static func find<Row: Identifiable<EntityKey>>(_ key: EntityKey, in rows: [Row]) -> Row? {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].id < key { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low].id == key ? rows[low] : nil
  }
}
