import TraceFormat

extension Signal {
  /// Splits the values into windows: signals of `count` values each.
  ///
  /// ```
  /// source             -1-2-3-4-5-|
  /// window(count: 2)   -a---b---c-|
  /// a                  -1-(2|)
  /// b                  -----3-(4|)
  /// c                  ---------5-|
  /// ```
  ///
  /// A window is sent before its first value and completes directly after its last value.
  ///
  /// Windows are hot. ``groupBy(_:file:line:column:)`` describes which values are kept for the
  /// first subscriber of a window, how long the source is subscribed to, and in which order the
  /// signals end.
  ///
  /// - Parameters:
  ///   - count: The number of values in each window except the last, which may have fewer; must be
  ///     at least 1.
  /// - Returns: A signal of windows, which ends exactly when this one does, and in the same way.
  public func window(
    count: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Signal, Failure> {
    precondition(
      count >= 1,
      "window(count: \(count)): the count must be ≥ 1 (OperatorIndex, window(count:))"
    )
    let site = Site("window(count:)", file, line, column)
    return Signal<Signal, Failure>(site, .one(self), argument: .integer(count)) { [self] down in
      let outlet = Outlet(down)
      down.scope.own(outlet)
      let source = BranchSource<Value, Failure>(for: down.scope)
      let current = StageState<Branch<Value, Failure>?>(nil)
      let left = StageState(0)
      attach(
        Sink(source.scope, down.trace, outlet) { value in
          if left.value == 0 {
            guard outlet.scope.isActive else { return }
            let (window, signal) = source.open(site, isOnly: true)
            current.value = window
            left.value = count
            outlet.send(signal)
          }
          left.value -= 1
          current.value?.send(value)
          if left.value == 0 { current.value?.end(.completed) }
        }
      )
    }
  }

  /// Splits the values into windows: each value of another signal ends a window and begins the next
  /// one.
  ///
  /// ```
  /// source               -1-2-3-4-|
  /// boundary             ----x-----
  /// window(boundary: …)  a---b----|
  /// a                    -1-2|
  /// b                    -----3-4-|
  /// ```
  ///
  /// The first window is sent on subscription; then the boundary is subscribed to, and then the
  /// source. Each value of the boundary completes the current window and sends the next one, so a
  /// window can be empty. When the boundary ends, even with a failure, the current window
  /// continues.
  ///
  /// Windows are hot. ``groupBy(_:file:line:column:)`` describes which values are kept for the
  /// first subscriber of a window, how long the source is subscribed to, and in which order the
  /// signals end.
  ///
  /// - Parameters:
  ///   - boundary: Each of its values separates two windows; the values themselves are not used.
  /// - Returns: A signal of windows, which ends exactly when this one does, and in the same way.
  public func window<Boundary: Sendable, BoundaryFailure: Error>(
    boundary: Signal<Boundary, BoundaryFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Signal, Failure> {
    // The trait `bounding` says that the operator itself ends a subscription: when the source ends,
    // it ends the subscription to the boundary, which may be endless.
    let site = Site("window(boundary:)", file, line, column, [.bounding, .triggers])
    return Signal<Signal, Failure>(site, .many([self, boundary]), argument: .none) {
      [self] down in
      let stage = WindowStage(down, site)
      stage.start(down)
      let divided = UpstreamScope<BoundaryFailure>(in: stage.source.scope) { _ in }
      let kept = Arrival.collect {
        boundary.attach(Sink(divided, down.trace, stage.outlet) { _ in stage.divide() })
      }
      guard stage.source.scope.isActive else { return }
      attach(
        Sink(stage.source.scope, down.trace, stage.outlet) { stage.receive($0) },
        after: kept
      )
    }
  }
}

/// The state of one subscription to `window(boundary:)`: the current window.
///
/// This class is `@unchecked Sendable` because of `current`, which is used only inside the gate of
/// the outlet, which lets one thread at a time deliver events.
private final class WindowStage<Value: Sendable, Failure: Error>: @unchecked Sendable {
  let outlet: Outlet<Signal<Value, Failure>, Failure>
  let source: BranchSource<Value, Failure>
  private let site: Site
  @exclusivity(unchecked) private var current: Branch<Value, Failure>?

  init(_ down: Sink<Signal<Value, Failure>, Failure>, _ site: Site) {
    outlet = Outlet(down)
    down.scope.own(outlet)
    source = BranchSource(for: down.scope) { [outlet] source, end in
      outlet.run { source.end(end) }
    }
    self.site = site
  }

  /// Sends the first window; events that arrive in the meantime wait in the gate.
  func start(_ down: Sink<Signal<Value, Failure>, Failure>) {
    guard outlet.gate.enter() else { return }
    outlet.gate.enqueue { self.open() }
    outlet.gate.leave()
  }

  func receive(_ value: Value) {
    outlet.run(self, value) { $0.current?.send($1) }
  }

  func divide() {
    outlet.run {
      self.current?.end(.completed)
      self.open()
    }
  }

  private func open() {
    let old = current
    current = nil
    guard outlet.isActive else { return }
    let (window, signal) = source.open(site, isOnly: true)
    current = window
    outlet.pass(signal)
    withExtendedLifetime(old) {}
  }
}
