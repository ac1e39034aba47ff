import TraceFormat

extension Signal {
  /// Forwards values while a property is false; while the property is true, holds back the latest
  /// value until the property is false again.
  ///
  /// ```
  /// source             -1-2-3-4---5-|
  /// condition          f--t-----f----
  /// throttle(while:)   -1-------4-5-|
  /// ```
  ///
  /// If this signal ends while a value is held back, that value is dropped, as in ReactiveSwift;
  /// ``throttle(_:on:latest:file:line:column:)`` would forward it. If the property is released
  /// while it is true, the held value is never forwarded. Otherwise the thread that sets the
  /// property to false forwards the held value; use ``deliver(on:file:line:column:)`` to forward it
  /// on a scheduler.
  ///
  /// - Parameters:
  ///   - isThrottling: The property; it is subscribed to before this signal. The subscription does
  ///     not keep a ``MutableProperty`` alive.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  /// - Complexity: Retains at most one value.
  public func throttle(
    while isThrottling: some ReadableProperty<Bool>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let condition = isThrottling.readOnly
    let isHolding = condition.signal
    return Signal(
      Site("throttle(while:)", file, line, column, [.keepsLatest, .triggers]),
      .many([self, isHolding]),
      argument: .none
    ) { [self] down in
      let stage = ThrottleWhileStage(down, condition.keepers)
      let switching = UpstreamScope<Never>(in: down.scope) { _ in }
      let kept = Arrival.collect {
        isHolding.attach(
          Sink(switching, down.trace, stage.outlet) { value in
            stage.outlet.run { stage.isHolding(value) }
          }
        )
      }
      guard down.scope.isActive else { return }
      let source = UpstreamScope<Failure>(in: down.scope) { stage.outlet.end($0) }
      attach(Sink(source, down.trace, stage.outlet) { stage.receive($0) }, after: kept)
    }
  }
}

/// One subscription to `throttle(while:)`: it holds back the latest value.
///
/// This class is `@unchecked Sendable` because its state is used only inside the gate of the
/// outlet, which lets one thread at a time deliver events.
private final class ThrottleWhileStage<Value: Sendable, Failure: Error>: Teardown,
  @unchecked Sendable
{
  let outlet: Outlet<Value, Failure>
  private var isHolding = false
  private var latest: Held<Value?>
  /// Objects that keep the property up to date, if it is made from a signal.
  private var keepers: [PropertyKeeper]

  init(_ down: Sink<Value, Failure>, _ keepers: [PropertyKeeper]) {
    outlet = Outlet(down)
    latest = Held(nil, for: down.trace)
    self.keepers = keepers
    down.scope.own(outlet)
    super.init()
    down.scope.own(self)
  }

  func receive(_ value: Value) {
    outlet.run(self, value) { $0.handle($1) }
  }

  private func handle(_ value: Value) {
    guard isHolding else { return outlet.pass(value) }
    hold(outlet.isActive ? value : nil)
  }

  func isHolding(_ isHolding: Bool) {
    self.isHolding = isHolding
    guard !isHolding, let value = latest.values else { return }
    hold(nil)
    outlet.pass(value)
  }

  private func hold(_ value: Value?) {
    let former = latest.values
    latest.change { $0 = value }
    withExtendedLifetime(former) {}
  }

  /// Releases the value and the keepers, after any delivery that is under way.
  override func teardown(_ ending: Ending) {
    outlet.run {
      self.latest.values = nil
      self.keepers = []
    }
  }
}
