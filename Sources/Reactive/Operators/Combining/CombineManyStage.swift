/// How an operator combines the values of any number of signals.
@usableFromInline
enum Combination: Sendable {
  /// Sends the latest values as soon as all signals have sent one, and then whenever any signal
  /// sends another.
  case latest
  /// Sends the last values when all signals have completed.
  case last
  /// Sends the first values of all signals together, then the second values, and so on.
  case zipped
}

/// The state of one subscription to an operator that combines any number of signals.
///
/// This class is `@unchecked Sendable` because its state is changed only inside the gate, which
/// lets one thread at a time deliver events.
@usableFromInline
final class CombineManyStage<Output: Sendable, Failure: Error>: GatedStage, @unchecked Sendable {
  @usableFromInline let scope: Scope<Failure>
  @usableFromInline let trace: SubscriptionTrace?
  @usableFromInline let combination: Combination
  @exclusivity(unchecked) @usableFromInline var next: @Sendable (Output) -> Void
  @exclusivity(unchecked) @usableFromInline var collect: (@Sendable () -> Output)?
  @exclusivity(unchecked) @usableFromInline var inputs: Held<InputCells>
  /// How many inputs have no value to combine.
  @exclusivity(unchecked) @usableFromInline var missing: Int
  @exclusivity(unchecked) @usableFromInline var running: Int
  @exclusivity(unchecked) @usableFromInline var hasLostSource = false

  /// Creates a stage with the given inputs; `collect` takes a value from each input and makes the
  /// output.
  @inlinable
  init(
    _ combination: Combination,
    _ cells: [InputCell],
    _ down: Sink<Output, Failure>,
    _ collect: @escaping @Sendable () -> Output
  ) {
    scope = down.scope
    trace = down.trace
    next = down.next
    self.combination = combination
    self.collect = collect
    // Only a `zip` holds values that it has not sent.
    inputs = Held(InputCells(cells), for: combination == .zipped ? down.trace : nil)
    missing = cells.count
    running = cells.count
    super.init(downstream: down.downstreamGate)
    down.scope.own(self)
    if cells.isEmpty { down.scope.end(.completed) }
  }

  /// Subscribes to one input, unless the subscription to the operator has ended.
  ///
  /// Except in a `zip`, the events of this input wait until all values that earlier inputs send on
  /// subscription have arrived (``Arrival``).
  @inlinable
  func subscribe<Value: Sendable>(
    _ signal: Signal<Value, Failure>,
    _ cell: ValueCell<Value>,
    after kept: inout Arrival?
  ) {
    guard scope.isActive else { return }
    let part = UpstreamScope<Failure>(in: scope) { [self] end in
      gate.run(self, end, cell) { $0.note($1, $2) }
    }
    let sink = Sink<Value, Failure>(part, trace, self) { [self] value in
      gate.run(self, value, cell) { $0.receive($1, $2) }
    }
    if combination == .zipped { return signal.attach(sink) }
    let former = kept
    kept = Arrival.collect(after: former) { signal.attach(sink, after: former) }
  }

  @inlinable
  func receive<Value: Sendable>(_ value: Value, _ cell: ValueCell<Value>) {
    guard scope.isActive else { return }
    if cell.isEmpty { missing -= 1 }
    guard missing == 0, combination != .last else { return inputs.change { _ in cell.put(value) } }
    // A value that is combined at once is not recorded as held.
    cell.put(value)
    send()
  }

  @inlinable
  func send() {
    guard let collect else { return }
    // `collect` runs a closure of the program, which may end the subscription. So the call must not
    // be inside `change`.
    let output = collect()
    inputs.change { _ in }
    if combination == .zipped { missing = inputs.values.cells.count { $0.isEmpty } }
    next(output)
    if combination == .zipped { settle() }
  }

  @usableFromInline
  func note(_ end: End<Failure>, _ cell: InputCell) {
    guard let state = CombinedInput(end) else { return scope.end(end) }
    cell.state = state
    running -= 1
    if state == .gone { hasLostSource = true }
    switch combination {
    case .zipped: return settle()
    case .last:
      // There is no result if an input ended without a value, or without an event.
      if hasLostSource || cell.isEmpty { return finish() }
      if running == 0 { send() }
    case .latest: break
    }
    if running == 0 { finish() }
  }

  @usableFromInline
  func finish() { scope.end(hasLostSource ? .sourceGone : .completed) }

  /// Ends the subscription if an input has ended and all its values have been combined.
  ///
  /// The result completes if at least one such input has completed; otherwise the result ends
  /// without an event.
  @usableFromInline
  func settle() {
    let usedUp = inputs.values.cells.filter { $0.state != .running && $0.isEmpty }
    guard !usedUp.isEmpty else { return }
    scope.end(usedUp.contains { $0.state == .completed } ? .completed : .sourceGone)
  }

  @usableFromInline
  override func clear() {
    next = { _ in }
    collect = nil
    for cell in inputs.values.cells { cell.clear() }
    inputs.values = InputCells([])
  }
}

/// The upstreams of an operator that takes any number of signals.
func upstreams<each Value: Sendable, Failure: Error>(
  _ signals: repeat Signal<each Value, Failure>
) -> Upstreams {
  var all: [any AnySignal] = []
  for signal in repeat each signals { all.append(signal) }
  return .many(all)
}

/// Subscribes to signals of different types and sends the results of `transform` for their values.
func combine<each Value: Sendable, Output: Sendable, Failure: Error>(
  _ combination: Combination,
  _ signals: repeat Signal<each Value, Failure>,
  into down: Sink<Output, Failure>,
  _ transform: @escaping @Sendable (repeat each Value) -> Output
) {
  let cells = (repeat ValueCell<each Value>.make(for: combination))
  var all: [InputCell] = []
  for cell in repeat each cells { all.append(cell) }
  let stage = CombineManyStage(combination, all, down) { transform(repeat (each cells).take()) }
  var kept: Arrival?
  repeat stage.subscribe(each signals, each cells, after: &kept)
}

/// Subscribes to a list of signals and sends arrays of their values.
@inlinable
func combine<Value: Sendable, Failure: Error>(
  _ combination: Combination,
  _ signals: [Signal<Value, Failure>],
  into down: Sink<[Value], Failure>
) {
  let cells = signals.map { _ in ValueCell<Value>.make(for: combination) }
  let stage = CombineManyStage(combination, cells, down) { cells.map { $0.take() } }
  var kept: Arrival?
  for (signal, cell) in Swift.zip(signals, cells) { stage.subscribe(signal, cell, after: &kept) }
}
