import TraceFormat

extension Signal {
  /// Forwards the latest value whenever another signal sends.
  ///
  /// ```
  /// source         -1-2------3-|
  /// sampler        --x---x-x---x-|
  /// sample(on:)    --1---2-2---|
  /// ```
  ///
  /// If no new value has come since the last tick, the latest value is sent *again*, whereas
  /// RxSwift sends nothing. Until the first value, nothing is sent. The end of either signal ends
  /// the result; in ReactiveSwift, the result ends only when both signals have ended.
  ///
  /// - Parameters:
  ///   - sampler: Each of its values triggers a sample; the values themselves are not used.
  /// - Returns: A signal that ends as soon as one of the two signals ends.
  /// - Complexity: Retains one value.
  public func sample<Tick: Sendable>(
    on sampler: Signal<Tick, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site(
      "sample(on:)",
      file,
      line,
      column,
      [.bounding, .keepsLatest, .waitsForAll, .triggers]
    )
    return sampled(site, .many([self, sampler]), .none) {
      (down: Sink<Value, Failure>, stage, kept) in
      let ticks = UpstreamScope<Failure>(in: down.scope) { stage.outlet.end($0) }
      sampler.attach(
        Sink(ticks, down.trace, stage.outlet) { _ in stage.tick { $0 } },
        after: kept
      )
    }
  }

  /// Forwards the latest value whenever another signal, which cannot fail, sends; see
  /// ``sample(on:file:line:column:)``.
  @_disfavoredOverload
  public func sample<Tick: Sendable>(
    on sampler: Signal<Tick, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site(
      "sample(on:)",
      file,
      line,
      column,
      [.bounding, .keepsLatest, .waitsForAll, .triggers]
    )
    return sampled(site, .many([self, sampler]), .none) {
      (down: Sink<Value, Failure>, stage, kept) in
      let ticks = UpstreamScope<Never>(in: down.scope) { stage.outlet.end($0.promoted()) }
      sampler.attach(
        Sink(ticks, down.trace, stage.outlet) { _ in stage.tick { $0 } },
        after: kept
      )
    }
  }

  /// Whenever another signal sends a value, sends the latest value of this signal together with it.
  ///
  /// ```
  /// source          -1-2------3-|
  /// sampler         --a---b-c---d-|
  /// sample(with:)   --A---B-C---|      A: 1a, B: 2b, C: 2c
  /// ```
  ///
  /// Works like `sample(on:)`, but adds the value of the other signal. Until this signal has sent a
  /// value, nothing is sent. The end of either signal ends the result; in ReactiveSwift, the result
  /// ends only when both signals have ended. `withLatest(from:)` does the same with the roles of
  /// the two signals swapped, except that completion of the signal whose latest value is used does
  /// not end the result.
  ///
  /// - Parameters:
  ///   - sampler: Each of its values triggers a sample and becomes the second element of the pair.
  /// - Returns: A signal of pairs that ends as soon as one of the two signals ends.
  /// - Complexity: Retains one value.
  public func sample<Tick: Sendable>(
    with sampler: Signal<Tick, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(Value, Tick), Failure> {
    let site = Site(
      "sample(with:)",
      file,
      line,
      column,
      [.bounding, .keepsLatest, .waitsForAll, .triggers]
    )
    return sampled(site, .many([self, sampler]), .none) {
      (down: Sink<(Value, Tick), Failure>, stage, kept) in
      let ticks = UpstreamScope<Failure>(in: down.scope) { stage.outlet.end($0) }
      sampler.attach(
        Sink(ticks, down.trace, stage.outlet) { tick in stage.tick { ($0, tick) } },
        after: kept
      )
    }
  }

  /// Whenever another signal, which cannot fail, sends a value, sends the latest value of this
  /// signal together with it; see ``sample(with:file:line:column:)``.
  @_disfavoredOverload
  public func sample<Tick: Sendable>(
    with sampler: Signal<Tick, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(Value, Tick), Failure> {
    let site = Site(
      "sample(with:)",
      file,
      line,
      column,
      [.bounding, .keepsLatest, .waitsForAll, .triggers]
    )
    return sampled(site, .many([self, sampler]), .none) {
      (down: Sink<(Value, Tick), Failure>, stage, kept) in
      let ticks = UpstreamScope<Never>(in: down.scope) { stage.outlet.end($0.promoted()) }
      sampler.attach(
        Sink(ticks, down.trace, stage.outlet) { tick in stage.tick { ($0, tick) } },
        after: kept
      )
    }
  }

  /// Forwards the latest value at a fixed interval.
  ///
  /// ```
  /// source            -1-2---------3-|
  /// sample (every 4)  ----2---2---2--|
  /// ```
  ///
  /// If no new value has come since the last tick, the latest value is sent *again*, whereas
  /// ``throttle(_:on:latest:file:line:column:)`` sends no value twice. Until the first value,
  /// nothing is sent. Ticks come at multiples of the interval, counted from the subscription, so
  /// that they do not drift. Missed ticks are left out.
  ///
  /// - Parameters:
  ///   - interval: Must be positive.
  ///   - scheduler: Where the values are forwarded.
  /// - Returns: A signal that ends when this one does, and in the same way.
  /// - Complexity: Retains one value, and a repeating timer.
  public func sample(
    every interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(
      interval > .zero,
      "sample(every: \(interval)): the interval must be positive (OperatorIndex, sample(every:))"
    )
    let site = Site("sample(every:)", file, line, column, [.timer, .keepsLatest])
    return sampled(site, .one(self), .duration(interval), timedBy: scheduler) {
      (down: Sink<Value, Failure>, stage, _) in
      let timer = ScheduledTimer(
        on: scheduler,
        after: interval,
        every: interval,
        site: site,
        trace: down.trace
      ) { stage.fire { $0 } }
      down.scope.own(timer)
      timer.arm()
    }
  }

  /// Implements all forms of `sample`: subscribes to this signal, then starts the ticks.
  private func sampled<Output: Sendable>(
    _ site: Site,
    _ upstreams: Upstreams,
    _ argument: Argument,
    timedBy scheduler: (any Scheduler)? = nil,
    _ startTicks:
      @escaping @Sendable (
        Sink<Output, Failure>, SampleStage<Value, Output, Failure>, Arrival?
      ) -> Void
  ) -> Signal<Output, Failure> {
    Signal<Output, Failure>(site, upstreams, argument: argument) { [self] down in
      let stage = SampleStage<Value, Output, Failure>(down, scheduler)
      let source = UpstreamScope<Failure>(in: down.scope) { stage.outlet.end($0) }
      let kept = Arrival.collect {
        attach(Sink(source, down.trace, stage.outlet) { stage.hold($0) })
      }
      if down.scope.isActive { startTicks(down, stage, kept) }
    }
  }
}

/// One subscription to `sample`: it keeps the latest value, and each tick sends it downstream.
///
/// This class is `@unchecked Sendable` because its superclass `Teardown` is; its own properties are
/// constant or locked.
private final class SampleStage<Value: Sendable, Output: Sendable, Failure: Error>: Teardown,
  @unchecked Sendable
{
  let outlet: Outlet<Output, Failure>
  private let latest = Latest<Postponed<Value>>()
  /// The scheduler of the timer that sends the ticks; nil if a signal sends them.
  private let scheduler: (any Scheduler)?

  init(_ down: Sink<Output, Failure>, _ scheduler: (any Scheduler)?) {
    outlet = Outlet(down)
    self.scheduler = scheduler
    down.scope.own(outlet)
    super.init()
    down.scope.own(self)
  }

  func hold(_ value: Value) {
    // When a timer sends the tick, the backtrace leads to the code that armed the timer, and not to
    // the sender of the value. So the value keeps the backtrace of its sender. When a signal sends
    // the tick, that signal is on the stack, and the backtrace contains it anyway.
    latest.replace(with: scheduler.map { Postponed(value, on: $0) } ?? Postponed(value))
  }

  /// Handles a tick that a signal has sent; `make` combines the latest value with the tick.
  func tick(_ make: (Value) -> Output) {
    if let held = latest.value { outlet.send(make(held.event)) }
  }

  /// Handles a tick of the timer.
  func fire(_ make: (Value) -> Output) {
    latest.value?.deliver { outlet.send(make($0)) }
  }

  override func teardown(_ ending: Ending) { latest.replace(with: nil) }
}

/// A value behind a lock; a replaced value is released outside the lock.
private final class Latest<Value: Sendable>: Sendable {
  private let held = Locked<Value?>(nil)

  var value: Value? { held.withLock { $0 } }

  func replace(with value: Value?) {
    let old = held.withLock { held in
      defer { held = value }
      return held
    }
    withExtendedLifetime(old) {}
  }
}
