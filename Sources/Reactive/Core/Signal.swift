import CReactiveTraceShims
public import ReactiveTrace

/// A stream of values over time, hot or cold: it describes what happens when it is subscribed to.
///
/// Operators are methods that return another signal; nothing runs before ``subscribe(next:failed:completed:file:line:column:)``.
/// The event contract holds for every signal: see <doc:EventContract>. Neither signals nor disposables
/// have to be retained: a subscription keeps what it needs alive until it ends.
///
/// A chain of operators uses stack for each operator, when it is subscribed to and when a value
/// passes: from 100 bytes (`map`) to 700 (`combineLatest`) in an optimised program, and up to 4 KiB
/// in a debug build (`Scripts/depth --stack` lists them). Tracing adds nothing to subscribing, and
/// some 50 bytes for most operators when a value passes (160 for `share`). A worker thread of
/// Dispatch has 512 KiB, the main thread usually 8 MiB. Releasing a chain uses no stack.
public class Signal<Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked because it has subclasses, for operators that are applied often (`MapSignal`): they,
  // too, hold only constants.
  @exclusivity(unchecked) @usableFromInline final var node: SignalNode
  /// The value of ``upstreams`` if no subclass provides it.
  @usableFromInline final let others: Upstreams
  /// The parts of a sink are passed separately: as one value they would be copied at every stage.
  ///
  /// The closure gets the signal itself, so that a subclass needs no closure with its own context,
  /// and the kind of `next`.
  @usableFromInline
  typealias Start =
    @Sendable (
      _ signal: Signal<Value, Failure>,
      _ scope: __owned Scope<Failure>,
      _ trace: SubscriptionTrace?,
      _ next: __owned @escaping @Sendable (Value) -> Void,
      _ kind: NextKind
    ) -> Void

  @usableFromInline final let start: Start
  /// Whether ``start`` receives `next` as ``NextKind/selfTracing``.
  @usableFromInline final let recordsOwnEvents: Bool

  @inlinable
  convenience init(
    _ site: Site,
    _ upstreams: Upstreams = .none,
    argument: Argument = .closure,
    name: String? = nil,
    start: @escaping @Sendable (consuming Sink<Value, Failure>) -> Void
  ) {
    self.init(direct: site, upstreams, argument: argument, name: name) {
      _,
      scope,
      trace,
      next,
      kind in
      start(Sink(in: scope, trace, next: kind == .root ? scope.guarding(next) : next))
    }
  }

  /// For operators that send from inside a gate, and check before each value whether it would be
  /// received.
  @inlinable
  convenience init(
    gated site: Site,
    _ upstreams: Upstreams = .none,
    argument: Argument = .closure,
    start: @escaping @Sendable (consuming Sink<Value, Failure>) -> Void
  ) {
    self.init(direct: site, upstreams, argument: argument) { _, scope, trace, next, _ in
      start(Sink(in: scope, trace, next: next))
    }
  }

  /// For what is subscribed to most often: sources, and operators that replace only `next`.
  @inlinable
  init(
    direct site: Site,
    _ upstreams: Upstreams = .none,
    argument: Argument = .closure,
    name: String? = nil,
    recordsOwnEvents: Bool = false,
    start: @escaping Start
  ) {
    node = SignalNode(site, name.map(Argument.name) ?? argument)
    others = upstreams
    self.start = start
    self.recordsOwnEvents = recordsOwnEvents
    if Tracer.isOn { noteCreated(passesOn: false) }
  }

  /// For subclasses that hold the one signal upstream themselves, and whose subscription first
  /// subscribes to that signal, in the same scope.
  ///
  /// If traced, their stages record their values themselves: ``NextKind/selfTracing``.
  @inlinable @inline(__always)
  init(below site: Site, start: @escaping Start) {
    node = SignalNode(site, .closure)
    others = .none
    self.start = start
    recordsOwnEvents = true
    if Tracer.isOn { noteCreated(passesOn: true) }
  }

  /// For a signal with a name, which is subscribed to instead of the unnamed one: that one gets no
  /// stage.
  ///
  /// If nothing else refers to the unnamed signal, nothing can subscribe to it any more, and
  /// the named one takes its place in the trace.
  init(naming signal: Signal, _ name: String, isOnlyOne: Bool) {
    node = SignalNode(signal.node.site, .name(name))
    others = signal.upstreams
    recordsOwnEvents = signal.recordsOwnEvents
    start = { _, scope, trace, next, kind in signal.start(signal, scope, trace, next, kind) }
    if isOnlyOne, signal.node.id != .none {
      node.id = signal.node.id
      signal.node.id = .none
      Tracer.signalNamed(node.id, name)
    } else if Tracer.isOn {
      noteCreated(passesOn: false)
    }
  }

  /// Records the creation of the signal in the trace.
  ///
  /// Nothing else refers to the signal yet. It is recorded once it exists: passed as an argument,
  /// the site of the operator would first be laid out on the stack, even if nothing is recorded.
  @usableFromInline @inline(never)
  final func noteCreated(passesOn: Bool) {
    // Nothing is copied in the usual case.
    let argument =
      if case .closure = node.argument { SignalArgument.closure } else { node.argument.recorded }
    // No array is made in the usual case either.
    let (first, others): (TraceID, [TraceID]) =
      switch upstreams {
      case .none: (.none, [])
      case .one(let signal): (signal.traceID, [])
      case .many(let signals):
        (signals.first?.traceID ?? .none, signals.dropFirst().map(\.traceID))
      }
    node.id = Tracer.signalCreated(
      site: node.site.traceNumber,
      upstream: first,
      others: others,
      argument: argument,
      passesOn: passesOn
    )
    if let name = node.name { Tracer.signalNamed(node.id, name) }
  }

  deinit {
    if node.id != .none { Tracer.signalReleased(node.id) }
    if case .none = others { return }
    others.releaseFromHere()
  }

  @usableFromInline var upstreams: Upstreams { others }

  /// To be called at the end by subclasses that hold the signal upstream.
  @inline(__always)
  final func releaseUpstreams() { if rxt_releases_deep() { handOverUpstreams() } }

  @inline(never)
  private final func handOverUpstreams() { upstreams.releaseOnAnotherStack() }

  /// Where this signal was made: operator and line.
  @inlinable public final var site: Site { node.site }

  /// Starts this signal into `sink`; whether it is traced is decided here, once per subscription.
  @inlinable @inline(__always)
  final func attach(_ sink: consuming Sink<Value, Failure>) {
    attach(in: sink.scope, sink.trace, next: sink.next)
  }

  /// Does the same for a sink in parts.
  @inlinable @inline(__always)
  final func attach(
    in scope: __owned Scope<Failure>,
    _ trace: SubscriptionTrace?,
    next: __owned @escaping @Sendable (Value) -> Void
  ) {
    if !Tracer.isProbing { return start(self, scope, trace, next, .inner) }
    if Tracer.isLogging { return attachLogged(scope, trace, next) }
    let (stage, tellingNext, kind, isFirst) = probed(scope, trace, consume next)
    start(self, consume scope, stage, consume tellingNext, kind)
    if isFirst { Tracer.stagesTaken() }
  }

  /// What a traced signal is started with.
  @usableFromInline
  typealias Probed = (
    trace: SubscriptionTrace?, next: @Sendable (Value) -> Void, kind: NextKind, isFirst: Bool
  )

  /// What this signal is started with if it is traced: its stage, with a probe in front of `next`
  /// if it does not record its values itself.
  ///
  /// It is made and returned, but not started from here, so that a chain of operators uses no more
  /// stack when it is traced.
  ///
  /// - Returns: Four words, which are returned in registers; a structure would wrap the closure
  ///   once more. `isFirst` says that other stages begin together with it, which are queried while
  ///   it is started.
  @inlinable @inline(never)
  final func probed(
    _ scope: Scope<Failure>,
    _ below: SubscriptionTrace?,
    _ next: __owned @escaping @Sendable (Value) -> Void
  ) -> Probed {
    let ready = Tracer.takeStage(of: node.id)
    if ready != .none { return probed(ready, consume next, isFirst: false) }
    if scope.joins(node.site) { return (below, next, .inner, false) }
    // The signal that is subscribed to may be older than the recording.
    let number = below == nil ? scope.traceNumber | 1 : scope.traceNumber
    let stages = began(below?.id ?? .none, number)
    guard stages.first != .none else { return (below, next, .inner, false) }
    scope.own(stages)
    return probed(stages.first, consume next, isFirst: stages.first != stages.last)
  }

  @inlinable @inline(__always)
  final func probed(
    _ id: TraceID,
    _ next: __owned @escaping @Sendable (Value) -> Void,
    isFirst: Bool
  ) -> Probed {
    let trace = SubscriptionTrace(id)
    return recordsOwnEvents
      ? (trace, next, .selfTracing, isFirst)
      : (trace, Probe(trace, next).handler(), .inner, isFirst)
  }

  /// Starts this signal with its events logged.
  @usableFromInline @inline(never)
  final func attachLogged(
    _ scope: consuming Scope<Failure>,
    _ below: SubscriptionTrace?,
    _ next: consuming @escaping @Sendable (Value) -> Void
  ) {
    logEvents(&scope, &next)
    let (stage, tellingNext, kind, isFirst) = probed(scope, below, next)
    start(self, scope, stage, consume tellingNext, kind)
    if isFirst { Tracer.stagesTaken() }
  }

  @inlinable @inline(__always)
  final func began(_ downstream: TraceID, _ scope: UInt) -> TraceStages {
    node.id == .none || Tracer.isLogging
      ? beganAlone(downstream, scope)
      : Tracer.stagesBegan(signal: node.id, downstream: downstream, scope: scope)
  }

  /// Begins the stage of a signal that is not traced itself, or of one above which something else
  /// may be inserted.
  @usableFromInline @inline(never)
  final func beganAlone(_ downstream: TraceID, _ scope: UInt) -> TraceStages {
    let site = node.site.traceNumber
    return TraceStages(
      Tracer.subscribed(site: site, signal: node.id, downstream: downstream, scope: scope)
    )
  }
}

/// The kind of closure to which a stage sends its values.
@usableFromInline
enum NextKind: Sendable {
  /// Another stage.
  case inner
  /// A program's handler, which must receive nothing from the thread that has ended the
  /// subscription (contract rule 2). Sources and gates check before each value anyway; a stage that
  /// runs a closure before it sends checks after that closure.
  case root
  /// Another stage, without a probe in front of it: this stage is traced, and records its values
  /// and its release itself (``TracedStage``).
  case selfTracing
}
