import TraceFormat

/// The state of `zip` of any number of inputs, changed inside its gate only.
///
/// Unchecked for that reason.
@usableFromInline
final class ManyZipStage<Output: Sendable, Failure: Error>: GatedStage, @unchecked Sendable {
  @usableFromInline let scope: Scope<Failure>
  @usableFromInline let trace: SubscriptionTrace?
  @exclusivity(unchecked) @usableFromInline var next: @Sendable (Output) -> Void
  @exclusivity(unchecked) @usableFromInline var collect: (@Sendable () -> Output)?
  @exclusivity(unchecked) @usableFromInline var cells: [InputCell]
  @exclusivity(unchecked) @usableFromInline var empty: Int

  @inlinable
  init(
    _ down: Sink<Output, Failure>,
    _ cells: [InputCell],
    _ collect: @escaping @Sendable () -> Output
  ) {
    scope = down.scope
    trace = down.trace
    next = down.next
    self.collect = collect
    self.cells = cells
    empty = cells.count
    super.init(above: down.below)
    down.scope.own(self)
    if cells.isEmpty { down.scope.end(.completed) }
  }

  /// Subscribes to one input, unless the whole has ended.
  @inlinable
  func subscribe<Value: Sendable>(_ signal: Signal<Value, Failure>, _ cell: QueueCell<Value>) {
    guard scope.isActive else { return }
    let part = UpstreamScope<Failure>(in: scope) { [self] end in
      if gate.enter() {
        note(end, cell)
        gate.leave()
      } else {
        gate.wait { self.note(end, cell) }
      }
    }
    signal.attach(
      Sink(part, trace, self) { [self] value in
        if gate.enter() {
          receive(value, cell)
          gate.leave()
        } else {
          gate.wait { self.receive(value, cell) }
        }
      }
    )
  }

  @inlinable
  func receive<Value: Sendable>(_ value: Value, _ cell: QueueCell<Value>) {
    guard scope.isActive else { return }
    if cell.held.values.isEmpty { empty -= 1 }
    if empty > 0 { return cell.held.push(value) }
    // It does not wait.
    cell.held.values.push(value)
    guard let collect else { return }
    let output = collect()
    empty = cells.count { $0.isEmpty }
    next(output)
    settle()
  }

  /// Notes the end of an input: nothing further is possible once its values are used.
  @inlinable
  func note(_ end: End<Failure>, _ cell: InputCell) {
    switch end {
    case .completed: break
    case .failed: return scope.end(end)
    case .sourceGone: cell.isGone = true
    }
    cell.hasEnded = true
    settle()
  }

  /// Ends if an input is used up: with completion if one of these has completed.
  @inlinable
  func settle() {
    var isOver = false
    for cell in cells where cell.hasEnded && cell.isEmpty {
      if !cell.isGone { return scope.end(.completed) }
      isOver = true
    }
    if isOver { scope.end(.sourceGone) }
  }

  @usableFromInline
  override func clear() {
    next = { _ in }
    collect = nil
    for cell in cells { cell.clear() }
    cells = []
  }
}
