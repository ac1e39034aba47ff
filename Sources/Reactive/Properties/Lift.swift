import TraceFormat

/// Calls a method of an object with the latest values of signals whenever one of them sends,
/// provided that each has sent at least one value.
///
/// ```swift
/// lift(Board.show, on: board, $title, $score)       // func show(_ title: String, _ score: Int)
/// ```
///
/// The signals are subscribed to at once, even if nothing subscribes to the result. The method runs
/// on the thread that sends the value that triggers the call. The object is not kept alive: the
/// calls end when it is released, at once if it is ``LifetimeProviding``, otherwise at the first
/// value after its release.
///
/// - Parameters:
///   - method: Called with the object, then the values.
///   - target: The object.
///   - arguments: Subscribed to in this order, once.
/// - Returns: A signal of the results of the method. A new subscriber gets the last result first.
///   The signal completes when all arguments have completed, or when the object is released; it
///   fails with the first argument that fails.
@discardableResult
public func lift<Target: AnyObject & Sendable, each Argument, Result: Sendable, Failure: Error>(
  _ method: @escaping @Sendable (Target) -> (repeat each Argument) -> Result,
  on target: Target,
  _ arguments: repeat Signal<each Argument, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<Result, Failure> {
  let calls = Calls<Result, Failure>(
    Site("lift", file, line, column),
    upstreams(repeat each arguments)
  )
  let object = WeakReference(target)
  combine(
    .latest,
    repeat each arguments,
    into: calls.sink { [hub = calls.hub, scope = calls.scope] result in
      if let result { hub.send(result) } else { scope.targetGone() }
    }
  ) { (value: repeat each Argument) -> Result? in
    object.object.map { method($0)(repeat each value) }
  }
  calls.end(with: target)
  return calls.signal
}

/// Calls a closure with an object of the main actor and the latest values of signals whenever one
/// of them sends, provided that each has sent at least one value.
///
/// ```swift
/// lift(onMainActor: label, $title, $score) { label, title, score in label.text = "\(title): \(score)" }
/// ```
///
/// Works like ``lift(_:on:_:file:line:column:)``, but the closure runs on the main actor: at once
/// if the value is sent on the main queue and nothing waits there, otherwise in later work of the
/// main queue (see ``UIScheduler``).
///
/// - Parameters:
///   - target: The object.
///   - arguments: Subscribed to in this order, once.
///   - call: Called with the object and the values.
/// - Returns: A signal of the results of the closure. A new subscriber gets the last result first.
@MainActor @discardableResult
public func lift<Target: AnyObject, each Argument, Result: Sendable, Failure: Error>(
  onMainActor target: Target,
  _ arguments: repeat Signal<each Argument, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  call: @escaping @MainActor @Sendable (Target, repeat each Argument) -> Result
) -> Signal<Result, Failure> {
  let calls = Calls<Result, Failure>(
    Site("lift", file, line, column),
    upstreams(repeat each arguments)
  )
  let object = MainActorReference(target)
  let sink = calls.sink { [hub = calls.hub, scope = calls.scope] (call: MainActorCall<Result>) in
    let result = MainActor.assumeIsolated { call.run() }
    if let result { hub.send(result) } else { scope.targetGone() }
  }
  let stage = DeliverStage(sink, UIScheduler.shared)
  calls.scope.own(stage)
  let upstream = UpstreamScope<Failure>(in: calls.scope) { stage.post(.end($0)) }
  combine(
    .latest,
    repeat each arguments,
    into: Sink(upstream, calls.trace, nil) { stage.post(.next($0)) }
  ) { (value: repeat each Argument) -> MainActorCall<Result> in
    MainActorCall { object.object.map { call($0, repeat each value) } }
  }
  calls.end(with: target)
  return calls.signal
}

/// A call that is to run on the main actor.
private struct MainActorCall<Result: Sendable>: Sendable {
  let run: @MainActor @Sendable () -> Result?
}

/// The one subscription behind a lifted method, and the subscribers of its results.
///
/// The subscription must not hold this object, which holds the signal of the results: the closures
/// capture only the hub, the scope and the trace.
private final class Calls<Result: Sendable, Failure: Error>: Sendable {
  let hub = Hub<Result, Failure>(capacity: 1)
  let signal: Signal<Result, Failure>
  let scope: UpstreamScope<Failure>
  var trace: SubscriptionTrace? { closure?.subscription }
  /// Records when the last of the closures has been released.
  private let closure: ClosureTrace?

  init(_ site: Site, _ upstreams: Upstreams) {
    signal = Signal(site, upstreams) { [hub] in hub.addReplaying($0) }
    hub.id = signal.node.id
    scope = UpstreamScope { [hub] in hub.end($0) }
    closure = scope.begin(site, of: signal.node.id)
  }

  func sink<Value: Sendable>(_ next: @escaping @Sendable (Value) -> Void) -> Sink<Value, Failure> {
    Sink(
      scope,
      trace,
      nil,
      next: closure.recording(in: scope) { [scope] in if scope.isActive { next($0) } }
    )
  }

  /// Ends the calls as soon as the object is released, if it is ``LifetimeProviding``.
  func end(with target: AnyObject) {
    guard scope.isActive, let lifetime = Lifetime.ofOwner(target) else { return }
    lifetime.bind(trace)
    let end = lifetime.onEnd { [weak scope] in scope?.targetGone() }
    scope.own(DisposableTeardown(end))
  }
}

extension UpstreamScope {
  /// Completes the results, because the object has been released.
  fileprivate func targetGone() { finish(.completed, upstream: Ending(.ownerGone)) }
}
