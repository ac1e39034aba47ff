public import TraceReading

/// A running instance of a signal.
///
/// Subscriptions are what leaks.
public struct SubscriptionRow: Sendable, Identifiable {
  /// Its permanent identity.
  public var key: EntityKey
  /// The row of its line of code in the table of sites.
  public var site: UInt32 = 0
  /// The operator, as recorded.
  public var name: String {
    get { overrides?.value.name ?? builder?.name(site) ?? "" }
    set { set(\.name, newValue) }
  }
  /// `File.swift:88`.
  public var location: String {
    get { overrides?.value.location ?? builder?.location(site) ?? "" }
    set { set(\.location, newValue) }
  }
  /// The module of the file, as recorded; empty if it is unknown.
  public var module: String {
    get { overrides?.value.module ?? builder?.module(site) ?? "" }
    set { set(\.module, newValue) }
  }
  /// Its state; nil if the trace does not say.
  public var state: LifeState?
  /// Why it ended.
  public var endReason: EndReason?
  /// The time since it began.
  public var age: Duration?
  /// The number of events that it has forwarded.
  public var events: UInt64?
  /// Events per second in the last seconds; nil until two instants can be compared.
  public var rate: Double?
  /// The time since its latest event; nil if there was none or if that is unknown.
  ///
  /// If it is nil, ``events`` shows which of the two is the case.
  public var lastEventAge: Duration?
  /// The number of values that it holds, or of events that wait until another delivery has ended.
  public var held: UInt32?
  /// The number of events refused after it was disposed of or had ended, as far as records show.
  public var refused: UInt32 = 0
  /// Whether the disposable returned to the program was released, as far as records show.
  public var isDisposableReleased = false
  /// The signal of which it is an instance.
  ///
  /// Looked up on access, as ``downstream`` and ``root`` are.
  public var signal: EntityKey? {
    get { signalLink.key(place) }
    set { signalLink = .known(newValue) }
  }
  var signalLink = Link.known(nil)
  /// The name of that signal, as ``SignalRow/composedName``.
  ///
  /// Composed on access.
  public var composedName: String? {
    get { naming.name }
    set { set(\.naming, SignalNaming(newValue)) }
  }
  var naming: SignalNaming {
    if let naming = overrides?.value.naming { return naming }
    guard let builder, case .id(let signal) = signalLink else { return SignalNaming(nil) }
    return SignalNaming(builder.signalNames, signal)
  }
  /// Where its events go; nil at the program's own `subscribe`.
  public var downstream: EntityKey? {
    get { downstreamLink.key(place) }
    set { downstreamLink = .known(newValue) }
  }
  var downstreamLink = Link.known(nil)
  /// Where its events come from, in the order of creation.
  public var upstreams: [EntityKey] {
    get { ownUpstreams ?? place.map { $0.links.upstreamKeys(of: $0.index) } ?? [] }
    set { ownUpstreams = newValue }
  }
  private var ownUpstreams: [EntityKey]?
  /// Where related rows are looked up.
  ///
  /// They are looked up on access, because most of them are never requested.
  var place: (links: SubscriptionLinks, index: Int)?
  /// The root subscription that it belongs to; nil if the path to it cannot be followed.
  public var root: EntityKey? {
    get { rootLink.key(place) }
    set { rootLink = .known(newValue) }
  }
  var rootLink = Link.known(nil)
  /// Whether it belongs to no single root, because its events go to a shared subscription.
  package var isShared: Bool { place.map { $0.links.isShared($0.index) } ?? false }
  /// Steps from the root: 0 for the root itself.
  public var level = 0
  /// Whether it was made by the program's own call of `subscribe`.
  public var isRoot = false
  /// The traits of its operator, which say what the operator does.
  public var traits: SiteTraits = []
  /// The scheduler it was made on, as recorded.
  public var scheduler: String? {
    get { overrides?.value.scheduler ?? schedulerGroup.flatMap { builder?.scheduler(UInt32($0)) } }
    set {
      set(\.scheduler, newValue)
      schedulerGroup = nil
    }
  }
  /// A number that rows with the same scheduler share; nil if ``scheduler`` was assigned.
  package var schedulerGroup: Int?
  /// Row of its asynchronous backtrace; 0 if there is none.
  public var chain: UInt32 = 0
  /// The caller of the function that made it, as far as stacks and symbols show.
  ///
  /// Looked up on access.
  public var caller: Caller? {
    get { calling.caller }
    set { set(\.calling, Calling(newValue)) }
  }
  /// Why ``caller`` is not known although its stack was recorded, for example because the program
  /// is not on this machine.
  public var callerProblem: String? { calling.problem }
  var calling: Calling {
    overrides?.value.calling ?? place.map { Calling($0.links, $0.index) } ?? Calling(nil)
  }
  /// Whether it began or ended recently.
  public var change = RowChange.none

  /// What identifies the row.
  public var id: EntityKey { key }

  /// A row of which only the key is known.
  public init(key: EntityKey) { self.key = key }

  // MARK: Words

  /// Values that were assigned.
  ///
  /// Rows made from a trace have none: there may be a hundred thousand of them, and their line and
  /// their links provide the same values.
  private struct Overrides: Sendable {
    var name: String?
    var location: String?
    var module: String?
    var scheduler: String?
    var naming: SignalNaming?
    var calling: Calling?
  }
  private final class Box: Sendable {
    let value: Overrides
    init(_ value: Overrides) { self.value = value }
  }
  private var overrides: Box?

  private var builder: InspectionBuilder? { place?.links.order.builder }

  private mutating func set<Value>(_ path: WritableKeyPath<Overrides, Value?>, _ value: Value?) {
    var next = overrides?.value ?? Overrides()
    next[keyPath: path] = value
    overrides = Box(next)
  }

  /// A reference to another row.
  enum Link: Sendable {
    case known(EntityKey?)
    /// To be looked up by its id.
    case id(TraceID)
    case root

    func key(_ place: (links: SubscriptionLinks, index: Int)?) -> EntityKey? {
      switch self {
      case .known(let key): key
      case .id(let id): place?.links.order.builder.key(id)
      case .root: place.flatMap { $0.links.root(of: $0.index).map($0.links.order.key) }
      }
    }
  }
}

/// A signal: the node that an operator made, and a description of what its subscriptions do.
public struct SignalRow: Sendable, Identifiable {
  /// Its permanent identity.
  public var key: EntityKey
  /// The row of its line of code in the table of sites.
  public var site: UInt32 = 0
  /// The operator, as recorded.
  public var name = ""
  /// `File.swift:88`.
  public var location = ""
  /// The module of the file, as recorded; empty if it is unknown.
  public var module = ""
  /// The name the program gave it, as recorded.
  public var givenName: String?
  /// Its composition, such as `search.distinctUntilChanged().take(3)`, as recorded.
  ///
  /// If the program gave it a name, this is the name; nil if the trace does not say.
  ///
  /// Composed on access.
  public var composedName: String? {
    get { naming.name ?? givenName }
    set { naming = SignalNaming(newValue) }
  }
  var naming = SignalNaming(nil)
  /// Its state; nil if the trace does not say.
  public var state: LifeState?
  /// The time since it was made.
  public var age: Duration?
  /// The number of its live subscriptions.
  public var subscriptions: UInt64?
  /// The number of all its subscriptions; nil if the trace does not reach back to its creation.
  public var subscriptionsEver: UInt64?
  /// The signals that it is made from.
  public var upstreams: [EntityKey] = []
  /// The signals that are made from it.
  public var downstreams: [EntityKey] = []
  /// The live counts of each line at marks; nil for rows that were not made from a trace.
  package var history: LiveHistory?
  /// Whether it began or ended recently.
  public var change = RowChange.none

  /// What identifies the row.
  public var id: EntityKey { key }

  /// A row of which only the key is known.
  public init(key: EntityKey) { self.key = key }
}

/// An armed timer.
public struct TimerRow: Sendable, Identifiable {
  /// Its permanent identity.
  public var key: EntityKey
  /// The row of its line of code in the table of sites.
  public var site: UInt32 = 0
  /// The operator, as recorded.
  public var name = ""
  /// `File.swift:88`.
  public var location = ""
  /// The module of the file, as recorded; empty if it is unknown.
  public var module = ""
  /// Its state; nil if the trace does not say.
  public var state: LifeState?
  /// The time between two firings; zero for a timer that fires once.
  public var period: Duration?
  /// The number of times it fired.
  public var fires: UInt64?
  /// How often it fired per second in the last seconds; nil if records do not say.
  public var rate: Double?
  /// How often it has fired since it last caused an event.
  public var idleFires: UInt32?
  /// The subscription it was armed for.
  public var subscription: EntityKey?
  /// Whether user code armed it with `Scheduler.schedule(every:)`, not an operator; nil if unknown.
  public var isOfUserCode: Bool?
  /// The time since it was made.
  public var age: Duration?
  /// The time since it last fired; nil if it never did or that is unknown.
  public var lastFireAge: Duration?
  /// The scheduler it fires on, as recorded.
  public var scheduler: String?
  /// Row of its asynchronous backtrace; 0 if there is none.
  public var chain: UInt32 = 0
  /// Whether it began or ended recently.
  public var change = RowChange.none

  /// What identifies the row.
  public var id: EntityKey { key }

  /// A row of which only the key is known.
  public init(key: EntityKey) { self.key = key }
}

/// A scheduler and its work.
public struct SchedulerRow: Sendable, Identifiable {
  /// What identifies the row.
  public var id: UInt32 = 0
  /// The name that the program gave it, as recorded.
  public var name = ""
  /// How it runs its work.
  public var kind = SchedulerKind.other
  /// The amount of work that it ever accepted.
  public var scheduled: UInt64?
  /// The amount of work that began to run.
  public var begun: UInt64?
  /// The amount of work that was cancelled before it began.
  public var cancelled: UInt64?
  /// The amount of work that was accepted and has neither begun nor been cancelled; nil if the
  /// program has used timers, because work of a timer is accepted once and begins many times.
  public var waiting: UInt64?
  /// The amount of work that began per second in the last seconds.
  public var rate: Double?

  /// An empty row.
  public init() {}
}
