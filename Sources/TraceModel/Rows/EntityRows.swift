public import TraceReading

/// A running instance of a signal: what leaks.
public struct SubscriptionRow: Sendable, Identifiable {
  /// What names it for good.
  public var key: EntityKey
  /// Row of its ``SiteRow``.
  public var site: UInt32 = 0
  /// The operator, unfiltered, and `File.swift:88`.
  public var name: String {
    get { own?.value.name ?? builder?.name(site) ?? "" }
    set { set(\.name, newValue) }
  }
  /// `File.swift:88`.
  public var location: String {
    get { own?.value.location ?? builder?.location(site) ?? "" }
    set { set(\.location, newValue) }
  }
  /// The module that the file is of, unfiltered; empty where that is not known.
  public var module: String {
    get { own?.value.module ?? builder?.module(site) ?? "" }
    set { set(\.module, newValue) }
  }
  /// Nil where the trace cannot tell.
  public var state: LifeState?
  /// Why it ended.
  public var endReason: EndReason?
  /// Since it began.
  public var age: Duration?
  /// Events it has passed on.
  public var events: UInt64?
  /// Events per second lately; nil until two instants can be compared.
  public var rate: Double?
  /// Since its latest event; nil if there was none or it is unknown.
  ///
  /// ``events`` tells which.
  public var lastEventAge: Duration?
  /// Values it holds, or events that wait at its gate.
  public var held: UInt32?
  /// Events refused after it was disposed of or had ended, as far as records tell.
  public var refused: UInt32 = 0
  /// Whether the disposable handed to the program was dropped, as far as records tell.
  public var isDisposableReleased = false
  /// What it is an instance of.
  ///
  /// Looked up when it is asked for, as ``downstream`` and ``root`` are.
  public var signal: EntityKey? {
    get { signalLink.key(place) }
    set { signalLink = .known(newValue) }
  }
  var signalLink = Link.known(nil)
  /// The name of that, as ``SignalRow/composedName``.
  ///
  /// Put together when it is asked for.
  public var composedName: String? {
    get { naming.name }
    set { set(\.naming, SignalNaming(newValue)) }
  }
  var naming: SignalNaming {
    if let naming = own?.value.naming { return naming }
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
  /// Where others are looked up when they are asked for: of most rows nobody asks.
  var place: (links: SubscriptionLinks, index: Int)?
  /// The program's own `subscribe` it belongs to, if it can be followed so far.
  public var root: EntityKey? {
    get { rootLink.key(place) }
    set { rootLink = .known(newValue) }
  }
  var rootLink = Link.known(nil)
  /// Steps from the root: 0 for the root itself.
  public var level = 0
  /// Whether it is the program's own `subscribe`.
  public var isRoot = false
  /// What its operator does.
  public var traits: SiteTraits = []
  /// The scheduler it was made on, unfiltered.
  public var scheduler: String? {
    get { own?.value.scheduler ?? schedulerGroup.flatMap { builder?.scheduler(UInt32($0)) } }
    set {
      set(\.scheduler, newValue)
      schedulerGroup = nil
    }
  }
  /// A number that rows with the same scheduler share; nil where that was put in by hand.
  package var schedulerGroup: Int?
  /// Row of its asynchronous backtrace; 0 if there is none.
  public var chain: UInt32 = 0
  /// Who called the function that it was made in, as far as stacks and symbols tell.
  ///
  /// Looked up when it is asked for.
  public var caller: Caller? {
    get { calling.caller }
    set { set(\.calling, Calling(newValue)) }
  }
  /// Why ``caller`` is not known though its stack was recorded, as where the program is not on this machine.
  public var callerProblem: String? { calling.problem }
  var calling: Calling {
    own?.value.calling ?? place.map { Calling($0.links, $0.index) } ?? Calling(nil)
  }
  /// Whether it began or ended lately.
  public var change = RowChange.none

  /// What names the row.
  public var id: EntityKey { key }

  /// A row of which nothing but the key is known.
  public init(key: EntityKey) { self.key = key }

  // MARK: Words

  /// What was put in by hand: of a hundred thousand rows none carries what its line and its links tell.
  private struct Own: Sendable {
    var name: String?
    var location: String?
    var module: String?
    var scheduler: String?
    var naming: SignalNaming?
    var calling: Calling?
  }
  private final class Box: Sendable {
    let value: Own
    init(_ value: Own) { self.value = value }
  }
  private var own: Box?

  private var builder: InspectionBuilder? { place?.links.order.builder }

  private mutating func set<Value>(_ path: WritableKeyPath<Own, Value?>, _ value: Value?) {
    var next = own?.value ?? Own()
    next[keyPath: path] = value
    own = Box(next)
  }

  /// What a row leads to.
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

/// A description: the node an operator made.
public struct SignalRow: Sendable, Identifiable {
  /// What names it for good.
  public var key: EntityKey
  /// Row of its ``SiteRow``.
  public var site: UInt32 = 0
  /// The operator, unfiltered, and `File.swift:88`.
  public var name = ""
  /// `File.swift:88`.
  public var location = ""
  /// The module that the file is of, unfiltered; empty where that is not known.
  public var module = ""
  /// The name the program gave it, unfiltered.
  public var givenName: String?
  /// What it is made of, as `search.distinctUntilChanged().take(3)`, unfiltered; the name that the program gave it, where
  /// it has one, and nil where the trace does not tell.
  ///
  /// Put together when it is asked for.
  public var composedName: String? {
    get { naming.name ?? givenName }
    set { naming = SignalNaming(newValue) }
  }
  var naming = SignalNaming(nil)
  /// Nil where the trace cannot tell.
  public var state: LifeState?
  /// Since it was made.
  public var age: Duration?
  /// Subscriptions of it now.
  public var subscriptions: UInt64?
  /// Subscriptions of it ever; nil where the trace does not reach back to its creation.
  public var subscriptionsEver: UInt64?
  /// The signals it is made of.
  public var upstreams: [EntityKey] = []
  /// The signals made of it.
  public var downstreams: [EntityKey] = []
  /// How many of each line lived at marks; nil for rows put in by hand.
  package var history: LiveHistory?
  /// Whether it began or ended lately.
  public var change = RowChange.none

  /// What names the row.
  public var id: EntityKey { key }

  /// A row of which nothing but the key is known.
  public init(key: EntityKey) { self.key = key }
}

/// An armed timer.
public struct TimerRow: Sendable, Identifiable {
  /// What names it for good.
  public var key: EntityKey
  /// Row of its ``SiteRow``.
  public var site: UInt32 = 0
  /// The operator, unfiltered.
  public var name = ""
  /// `File.swift:88`.
  public var location = ""
  /// The module that the file is of, unfiltered; empty where that is not known.
  public var module = ""
  /// Nil where the trace cannot tell.
  public var state: LifeState?
  /// Zero for one that fires once.
  public var period: Duration?
  /// Fires ever.
  public var fires: UInt64?
  /// Fires per second lately; nil where records do not tell.
  public var rate: Double?
  /// Fires since the last one that led to any event.
  public var idleFires: UInt32?
  /// The subscription it was armed for.
  public var subscription: EntityKey?
  /// Whether user code armed it with `Scheduler.schedule(every:)`, not an operator; nil if unknown.
  public var isOfUserCode: Bool?
  /// Since it was made.
  public var age: Duration?
  /// Since it fired last; nil if it did not or that is unknown.
  public var lastFireAge: Duration?
  /// The scheduler it fires on, unfiltered.
  public var scheduler: String?
  /// Row of its asynchronous backtrace; 0 if there is none.
  public var chain: UInt32 = 0
  /// Whether it began or ended lately.
  public var change = RowChange.none

  /// What names the row.
  public var id: EntityKey { key }

  /// A row of which nothing but the key is known.
  public init(key: EntityKey) { self.key = key }
}

/// A scheduler and its work.
public struct SchedulerRow: Sendable, Identifiable {
  /// What names the row.
  public var id: UInt32 = 0
  /// As the program named it, unfiltered.
  public var name = ""
  /// How it runs its work.
  public var kind = SchedulerKind.other
  /// Work it accepted ever.
  public var scheduled: UInt64?
  /// Work that began to run.
  public var begun: UInt64?
  /// Work cancelled before it began.
  public var cancelled: UInt64?
  /// Accepted and neither begun nor cancelled; nil where timers run, whose work is accepted once and begins many
  /// times.
  public var waiting: UInt64?
  /// Work begun per second lately.
  public var rate: Double?

  /// An empty row.
  public init() {}
}
