import CReactiveTraceShims
public import TraceFormat

/// A stream of values over time, hot or cold, which can be subscribed to.
///
/// Operators are methods that return another signal; nothing runs before
/// ``subscribe(next:failed:completed:file:line:column:)``. The event contract holds for every
/// signal: see <doc:EventContract>. Neither signals nor disposables have to be retained: a
/// subscription keeps what it needs alive until it ends. The parameters `file`, `line` and `column`
/// of an operator are the place of its call, by which logs and traces name it; calls leave them
/// out.
///
/// A chain of operators uses stack for each operator, when it is subscribed to and when a value
/// passes: from 100 bytes (`map`) to 700 (`combineLatest`) in an optimised program, and up to 4 KiB
/// in a debug build (`Scripts/depth --stack` lists them). Tracing adds nothing to subscribing, and
/// some 50 bytes for most operators when a value passes (160 for `share`). A worker thread of
/// Dispatch has 512 KiB, the main thread usually 8 MiB. The stack that releasing a chain uses does
/// not grow with the chain.
public class Signal<Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked because the class has subclasses, for operators that are applied often (`MapSignal`):
  // they, too, hold only constants. `node` changes only while the signal is created.
  @exclusivity(unchecked) @usableFromInline final var node: SignalNode
  /// The value of ``upstreams``, unless a subclass overrides that property.
  @usableFromInline final let others: Upstreams
  /// Starts a subscription; the parts of its ``Sink`` are passed separately, because a sink would
  /// be copied at every stage.
  ///
  /// The closure gets the signal itself, so that a subclass needs no closure with its own context.
  /// It also gets the kind of `next`.
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
  /// Whether ``start`` receives `next` as ``NextKind/selfTracing`` if the stage is traced.
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

  /// Creates the signal of an operator that sends from inside a gate (which lets one thread at a
  /// time deliver events), and that checks before each value whether the subscriber would receive
  /// it.
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

  /// Creates one of the signals that are subscribed to most often: a source, or the signal of an
  /// operator that replaces only `next`.
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
    recordCreation()
  }

  /// Creates the signal of a subclass that itself holds the one signal upstream, and whose
  /// subscription first subscribes to that signal, in the same scope.
  ///
  /// `upstream` is that signal's identifier in the trace. Traced stages of the new signal record
  /// their values themselves: ``NextKind/selfTracing``.
  @inlinable @inline(__always)
  init(linear site: Site, on upstream: TraceID, start: @escaping Start) {
    node = SignalNode(site, .closure)
    others = .none
    self.start = start
    recordsOwnEvents = true
    recordCreation(on: upstream)
  }

  /// Creates a named signal, which starts as the unnamed one does, without a separate stage for the
  /// unnamed one.
  ///
  /// If nothing else refers to the unnamed signal (`isOnlyOne`), nothing can subscribe to it any
  /// more, and the named one takes its place in the trace.
  init(naming signal: Signal, _ name: String, isOnlyOne: Bool) {
    node = SignalNode(signal.node.site, .name(name))
    others = signal.upstreams
    recordsOwnEvents = signal.recordsOwnEvents
    start = { _, scope, trace, next, kind in signal.start(signal, scope, trace, next, kind) }
    if !isOnlyOne || !recordName(name, of: signal) { recordCreation() }
  }

  deinit {
    recordRelease()
    if case .none = others { return }
    others.releaseFromHere()
  }

  @usableFromInline var upstreams: Upstreams { others }

  /// Lets another thread release the signal upstream if releases are deeply nested on this thread;
  /// called by the deinitializers of subclasses that hold the signal upstream.
  @inline(__always)
  final func releaseUpstreams() { if rxt_releases_deep() { handOverUpstreams() } }

  @inline(never)
  private final func handOverUpstreams() { upstreams.releaseOnAnotherStack() }

  /// Where this signal was made: operator and line.
  @inlinable public final var site: Site { node.site }
}

/// The kind of closure to which a stage sends its values.
@usableFromInline
enum NextKind: Sendable {
  /// Another stage.
  case inner
  /// A program's handler, which must receive nothing from the thread that has ended the
  /// subscription (event contract, rule 2). Sources and gates check before each value anyway
  /// whether the subscription has ended; a stage that runs a closure before it sends checks after
  /// that closure.
  case root
  /// Another stage, without a probe (which records values) in front of it. The stage that sends to
  /// this closure is traced, and itself records its values and its release (``TracedStage``).
  case selfTracing
}
