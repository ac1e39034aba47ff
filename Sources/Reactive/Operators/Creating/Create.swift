public import TraceFormat

extension Signal {
  /// A cold signal that runs a closure for each subscription.
  ///
  /// The observer may be used from any thread, while the closure runs and afterwards; its events
  /// are serialised. The subscription ends when the observer sends a failure or completion, or
  /// without an event when the last copy of the observer is released (event contract, rule 11). A
  /// closure that runs for long should check ``Observer/isDisposed``, and return once this property
  /// is true.
  ///
  /// - Parameters:
  ///   - body: Runs once per subscription: at once if there is a current scheduler, otherwise on
  ///     ``QueueScheduler/background`` (event contract, rule 8).
  /// - Returns: A cold signal: the closure runs anew for each subscription.
  @inlinable
  public static func create(
    _ body: @escaping @Sendable (_ observer: Observer<Value, Failure>) -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("create", file, line, column, .source)) { down in
      let outlet = Outlet(down)
      down.scope.own(outlet)
      let observer = Observer(handle: ObserverHandle(outlet, down.scope))
      down.startCold { body(observer) }
    }
  }
}

/// Sends the events of one subscription; passed to the closure of
/// ``Signal/create(_:file:line:column:)``.
public struct Observer<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let handle: ObserverHandle<Value, Failure>

  @inlinable
  init(handle: ObserverHandle<Value, Failure>) { self.handle = handle }

  /// Whether the subscription has ended.
  ///
  /// Events sent after the end are dropped, and a trace records them as dropped.
  @inlinable public var isDisposed: Bool { handle.scope.isDisposed }

  /// Sends a value.
  @inlinable
  public func send(_ value: Value) { handle.send(value) }

  /// Ends the subscription with a failure.
  @inlinable
  public func fail(_ error: Failure) { handle.end(.failed(error)) }

  /// Completes the subscription.
  @inlinable
  public func complete() { handle.end(.completed) }

  /// Sends any event.
  @inlinable
  public func send(_ event: Event<Value, Failure>) {
    switch event {
    case .next(let value): send(value)
    case .failed(let error): fail(error)
    case .completed: complete()
    }
  }

  /// Disposables that are disposed of when the subscription ends, in the order of insertion; a
  /// disposable that is added after the end is disposed of at once.
  public var disposables: CompositeDisposable { handle.disposables }

  /// Runs a closure when the subscription ends for any reason, or at once if it has already ended.
  public func onDispose(_ action: @escaping @Sendable () -> Void) {
    handle.disposables.add(action)
  }
}

extension Observer where Value == Void {
  /// Sends `()`, the only value of the type.
  @inlinable
  public func send() { send(()) }
}

/// Shared by all copies of one observer; ends the subscription when the last copy is released.
@usableFromInline
final class ObserverHandle<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let outlet: Outlet<Value, Failure>
  @usableFromInline let scope: Scope<Failure>
  @usableFromInline let disposables = CompositeDisposable(owner: nil)

  @inlinable
  init(_ outlet: Outlet<Value, Failure>, _ scope: Scope<Failure>) {
    self.outlet = outlet
    self.scope = scope
    scope.own(DisposableTeardown(disposables))
  }

  @inlinable @inline(__always)
  func send(_ value: Value) {
    if let trace = outlet.trace { return sendTraced(value, trace) }
    outlet.send(value, from: scope)
  }

  @inlinable
  func end(_ end: End<Failure>) {
    if let trace = outlet.trace, !scope.isActive { return refuse(end, trace) }
    outlet.end(end)
  }

  // Ending the subscription may release another observer, whose subscription then ends too, and so
  // on. `NestingLimit` bounds how much stack such a chain uses.
  deinit { if scope.isActive { NestingLimit.run { [outlet] in outlet.end(.sourceGone) } } }
}
