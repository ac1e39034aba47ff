/// The state of one subscription to `sequenceEqual`.
///
/// This class is `@unchecked Sendable` because its state is changed only inside the gate, which
/// lets one thread at a time deliver events.
@usableFromInline
final class EqualityStage<A: Sendable, B: Sendable, Failure: Error>: GatedStage,
  @unchecked Sendable
{
  @usableFromInline
  enum Side {
    case active, completed, gone
  }

  @exclusivity(unchecked) @usableFromInline var areEquivalent: @Sendable (A, B) -> Bool
  @exclusivity(unchecked) @usableFromInline var left: Held<Fifo<A>>
  @exclusivity(unchecked) @usableFromInline var right: Held<Fifo<B>>
  @exclusivity(unchecked) @usableFromInline var leftSide = Side.active
  @exclusivity(unchecked) @usableFromInline var rightSide = Side.active
  @usableFromInline let scope: Scope<Failure>
  @exclusivity(unchecked) @usableFromInline var next: @Sendable (Bool) -> Void

  @inlinable
  init(_ down: Sink<Bool, Failure>, _ areEquivalent: @escaping @Sendable (A, B) -> Bool) {
    left = Held(Fifo(), for: down.trace)
    right = Held(Fifo(), for: down.trace)
    scope = down.scope
    next = down.next
    self.areEquivalent = areEquivalent
    super.init(downstream: down.downstreamGate)
  }

  /// Subscribes to both signals.
  @inlinable
  static func start(
    _ a: Signal<A, Failure>,
    _ b: Signal<B, Failure>,
    _ areEquivalent: @escaping @Sendable (A, B) -> Bool,
    _ down: Sink<Bool, Failure>
  ) {
    let stage = EqualityStage(down, areEquivalent)
    down.scope.own(stage)
    let leftPart = stage.part(isLeft: true, of: down.scope)
    let rightPart = stage.part(isLeft: false, of: down.scope)
    a.attach(
      Sink(leftPart, down.trace, stage) { stage.gate.run(stage, $0) { $0.receiveLeft($1) } }
    )
    guard down.scope.isActive else { return }
    b.attach(
      Sink(rightPart, down.trace, stage) { stage.gate.run(stage, $0) { $0.receiveRight($1) } }
    )
  }

  @inlinable
  func part(isLeft: Bool, of scope: Scope<Failure>) -> UpstreamScope<Failure> {
    UpstreamScope(in: scope) { [self] end in
      gate.run(self, end, isLeft) { $0.note($1, isLeft: $2) }
    }
  }

  @inlinable
  func receiveLeft(_ value: A) {
    guard scope.isActive else { return }
    if let other = right.pop() {
      if !areEquivalent(value, other) { return answer(false) }
    } else {
      left.push(value)
    }
    settle()
  }

  @inlinable
  func receiveRight(_ value: B) {
    guard scope.isActive else { return }
    if let other = left.pop() {
      if !areEquivalent(other, value) { return answer(false) }
    } else {
      right.push(value)
    }
    settle()
  }

  @inlinable
  func note(_ end: End<Failure>, isLeft: Bool) {
    let side: Side
    switch end {
    case .failed: return scope.end(end)
    case .completed: side = .completed
    case .sourceGone: side = .gone
    }
    if isLeft { leftSide = side } else { rightSide = side }
    settle()
  }

  /// Sends the answer if it is certain, or ends without an event if there can be no answer.
  ///
  /// `left` and `right` are queues of values that wait for a value of the other signal. So at least
  /// one of the queues is always empty.
  @inlinable
  func settle() {
    let leftRest = left.values.isEmpty ? leftSide : .active
    let rightRest = right.values.isEmpty ? rightSide : .active
    switch (leftRest, rightRest) {
    case (.completed, .completed): answer(true)
    case (.completed, .active) where !right.values.isEmpty: answer(false)
    case (.active, .completed) where !left.values.isEmpty: answer(false)
    case (.gone, _), (_, .gone): scope.end(.sourceGone)
    default: break
    }
  }

  @inlinable
  func answer(_ areEqual: Bool) {
    next(areEqual)
    scope.end(.completed)
  }

  @usableFromInline
  override func clear() {
    next = { _ in }
    areEquivalent = { _, _ in false }
    left.values = Fifo()
    right.values = Fifo()
  }
}
