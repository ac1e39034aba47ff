import Reactive

/// One subscription of an operator under test.
final class ContractRun<Output: Sendable, Failure: Error>: Sendable {
  let source = ContractSource()
  let time = TestScheduler()
  let seen = Recorder<Output, Failure>()
  /// Above zero while something retains the subscriber's closures.
  let handlers = LifeCount()

  private struct State: Sendable {
    var signal: Signal<Output, Failure>?
    var toSend: ArraySlice<Int>
    var isDriven = false
    var wasDisposedAtEnd = true
  }

  private let state: Locked<State>
  private let serial = SerialDisposable()
  private let held = Locked<(any Disposable)?>(nil)
  private let again = SerialDisposable()

  /// Applies the operator to a new source and subscribes.
  ///
  /// - Parameters:
  ///   - apply: Applies the operator.
  ///   - values: Values to send one by one, each from inside a delivery.
  ///   - limit: The number of the delivery, from 1, during which the subscription is disposed of.
  init(
    _ apply: (Signal<Int, ContractFailure>, TestScheduler) -> Signal<Output, Failure>,
    sendingFromNext values: ClosedRange<Int>? = nil,
    disposingAfter limit: Int? = nil
  ) {
    let signal = apply(source.signal(), time)
    state = Locked(State(signal: signal, toSend: ArraySlice(values.map(Array.init) ?? [])))
    let token = handlers.token()
    let subscription = signal.subscribe(
      next: { [weak self] value in
        token.touch()
        self?.receive(value, limit)
      },
      failed: { [weak self] error in
        token.touch()
        self?.end(.failed(error))
      },
      completed: { [weak self] in
        token.touch()
        self?.end(.completed)
      }
    )
    held.withLock { $0 = subscription }
    serial.inner = subscription
    time.run(atMost: 100)
  }

  var subscription: any Disposable { held.withLock { $0 } ?? serial }
  var wasDisposedAtEnd: Bool { state.withLock { $0.wasDisposedAtEnd } }

  private func receive(_ value: Output, _ limit: Int?) {
    seen.next(value)
    if seen.count == limit { serial.dispose() }
    let following = state.withLock { $0.isDriven ? $0.toSend.popFirst() : nil }
    if let following { source.send(following) }
  }

  private func end(_ event: Event<Output, Failure>) {
    let isDisposed = held.withLock { $0?.isDisposed ?? true }
    state.withLock { $0.wasDisposedAtEnd = isDisposed }
    seen.append(event)
  }

  // MARK: Driving

  func send(_ values: ClosedRange<Int>) {
    state.withLock { $0.isDriven = true }
    for value in values {
      source.send(value)
      time.run(atMost: 100)
    }
  }

  /// Sends the values that are left because there were too few deliveries from which to send them.
  func sendRest() {
    while let value = state.withLock({ $0.toSend.popFirst() }) { send(value...value) }
  }

  func complete() {
    source.complete()
    time.run(atMost: 100)
  }

  func fail() {
    source.fail()
    time.run(atMost: 100)
  }

  func subscribeAgain() -> Recorder<Output, Failure> {
    let recorder = Recorder<Output, Failure>()
    if let signal = state.withLock({ $0.signal }) { again.inner = recorder.record(signal) }
    time.run(atMost: 100)
    return recorder
  }

  // A broken operator may have left work or subscriptions behind.
  deinit {
    serial.dispose()
    again.dispose()
    time.cancelAll()
  }

  func dropSignal() {
    let signal = state.withLock { state in
      defer { state.signal = nil }
      return state.signal
    }
    withExtendedLifetime(signal) {}
  }
}
