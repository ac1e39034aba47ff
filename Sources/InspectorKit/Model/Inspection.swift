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
  public var signals: [SignalRow] = []
  /// Subscriptions, by creation.
  public var subscriptions: [SubscriptionRow] = []
  /// Timers, by creation.
  public var timers: [TimerRow] = []
  /// Schedulers, by row in their table.
  public var schedulers: [SchedulerRow] = []
  /// The latest records up to the instant, oldest first, at most ``eventLimit``.
  public var events: [EventRow] = []
  /// Marks up to the instant, oldest first.
  public var marks: [MarkRow] = []
  /// In the order of their rank, worst first.
  public var findings: [Finding] = []

  /// Records that an inspection carries as rows; a ``Timeline`` lists any others.
  public static let eventLimit = 500

  /// An inspection of nothing.
  public init() {}

  /// The row of a site.
  public func site(_ id: UInt32) -> SiteRow? {
    if Int(id) < sites.count, sites[Int(id)].id == id { return sites[Int(id)] }
    return sites.first { $0.id == id }
  }

  /// The row of a subscription.
  ///
  /// Binary search by serial: O(log n).
  public func subscription(_ key: EntityKey) -> SubscriptionRow? {
    find(key, in: subscriptions).map { subscriptions[$0] }
  }

  /// The row of a signal.
  ///
  /// O(log n).
  public func signal(_ key: EntityKey) -> SignalRow? {
    find(key, in: signals).map { signals[$0] }
  }

  /// The row of a timer.
  ///
  /// O(log n).
  public func timer(_ key: EntityKey) -> TimerRow? {
    find(key, in: timers).map { timers[$0] }
  }

  /// Subscriptions that have not ended; those of unknown state are left out.
  public var liveSubscriptions: Int { subscriptions.count { $0.state?.isLive == true } }

  private func find<Row: Identifiable<EntityKey>>(_ key: EntityKey, in rows: [Row]) -> Int? {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].id < key { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low].id == key ? low : nil
  }
}
