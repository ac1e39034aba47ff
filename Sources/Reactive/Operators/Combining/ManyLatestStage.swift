/// The state of `combineLatest` and `forkJoin` of any number of inputs, changed inside its gate only.
///
/// Unchecked for that reason.
@usableFromInline
final class ManyLatestStage<Output: Sendable, Failure: Error>: GatedStage, @unchecked Sendable {
  @usableFromInline let scope: Scope<Failure>
  @usableFromInline let trace: SubscriptionTrace?
  /// Whether only the last values are sent, when all inputs have completed.
  @usableFromInline let sendsAtEnd: Bool
  @exclusivity(unchecked) @usableFromInline var next: @Sendable (Output) -> Void
  @exclusivity(unchecked) @usableFromInline var collect: (@Sendable () -> Output)?
  @exclusivity(unchecked) @usableFromInline var cells: [InputCell]
  @exclusivity(unchecked) @usableFromInline var missing: Int
  @exclusivity(unchecked) @usableFromInline var running: Int
  @exclusivity(unchecked) @usableFromInline var lostOne = false

  @inlinable
  init(
    _ down: Sink<Output, Failure>,
    _ cells: [InputCell],
    sendsAtEnd: Bool,
    _ collect: @escaping @Sendable () -> Output
  ) {
    scope = down.scope
    trace = down.trace
    next = down.next
    self.sendsAtEnd = sendsAtEnd
    self.collect = collect
    self.cells = cells
    missing = cells.count
    running = cells.count
    super.init(above: down.below)
    down.scope.own(self)
    if cells.isEmpty { down.scope.end(.completed) }
  }

  /// Subscribes to one input, unless the whole has ended, held for the values that those before it
  /// send at once.
  @inlinable
  func subscribe<Value: Sendable>(
    _ signal: Signal<Value, Failure>,
    _ cell: LatestCell<Value>,
    after kept: inout Arrival?
  ) {
    guard scope.isActive else { return }
    let former = kept
    let part = UpstreamScope<Failure>(in: scope) { [self] end in
      if gate.enter() {
        note(end, cell)
        gate.leave()
      } else {
        gate.wait { self.note(end, cell) }
      }
    }
    let sink = Sink<Value, Failure>(part, trace, self) { [self] value in
      if gate.enter() {
        receive(value, cell)
        gate.leave()
      } else {
        gate.wait { self.receive(value, cell) }
      }
    }
    kept = Arrival.collect(after: former) { signal.attach(sink, after: former) }
  }

  @inlinable
  func receive<Value: Sendable>(_ value: Value, _ cell: LatestCell<Value>) {
    guard scope.isActive else { return }
    if cell.value == nil { missing -= 1 }
    cell.value = value
    if missing == 0, !sendsAtEnd { send() }
  }

  @inlinable
  func send() { if let collect { next(collect()) } }

  @inlinable
  func note(_ end: End<Failure>, _ cell: InputCell) {
    switch end {
    case .failed: return scope.end(end)
    case .sourceGone: lostOne = true
    case .completed: break
    }
    running -= 1
    // If any input has no last value, there is nothing to wait for.
    if sendsAtEnd, lostOne || cell.isEmpty { return scope.end(lostOne ? .sourceGone : .completed) }
    guard running == 0 else { return }
    if sendsAtEnd { send() }
    scope.end(lostOne ? .sourceGone : .completed)
  }

  @usableFromInline
  override func clear() {
    next = { _ in }
    collect = nil
    for cell in cells { cell.clear() }
    cells = []
  }
}
