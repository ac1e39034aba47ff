/// The state of one subscription to an operator that combines the values of two signals.
///
/// The policy decides which values are paired, and when no further pair is possible. This class is
/// `@unchecked Sendable` because its state is changed only inside the gate, which lets one thread
/// at a time deliver events.
@usableFromInline
final class CombineStage<Policy: CombinePolicy, Failure: Error>: GatedStage, @unchecked Sendable {
  @usableFromInline typealias Pair = (Policy.Left, Policy.Right)

  @usableFromInline let scope: Scope<Failure>
  @exclusivity(unchecked) @usableFromInline var next: @Sendable (Pair) -> Void
  @exclusivity(unchecked) @usableFromInline var policy: Policy
  @exclusivity(unchecked) @usableFromInline var left = CombinedInput.running
  @exclusivity(unchecked) @usableFromInline var right = CombinedInput.running

  @inlinable
  init(_ down: Sink<Pair, Failure>) {
    scope = down.scope
    next = down.next
    policy = Policy(for: down.trace)
    super.init(downstream: down.downstreamGate)
  }

  /// Subscribes to both signals.
  @inlinable
  static func start(
    _ left: (Sink<Policy.Left, Failure>) -> Void,
    _ right: (Sink<Policy.Right, Failure>) -> Void,
    _ down: Sink<Pair, Failure>
  ) {
    let stage = CombineStage(down)
    down.scope.own(stage)
    let first = Sink(stage.part(isLeft: true), down.trace, stage) { value in
      stage.gate.run(stage, value) { $0.receiveLeft($1) }
    }
    var kept: Arrival?
    if Policy.holdsSecond { kept = Arrival.collect { left(first) } } else { left(first) }
    guard down.scope.isActive else { return }
    let second = Sink(stage.part(isLeft: false), down.trace, stage) { value in
      stage.gate.run(stage, value) { $0.receiveRight($1) }
    }
    if let kept { second.held(for: kept, right) } else { right(second) }
  }

  @inlinable
  func receiveLeft(_ value: Policy.Left) {
    guard scope.isActive, let pair = policy.receiveLeft(value) else { return }
    next(pair)
    if Policy.consumesValues { settle() }
  }

  @inlinable
  func receiveRight(_ value: Policy.Right) {
    guard scope.isActive, let pair = policy.receiveRight(value) else { return }
    next(pair)
    if Policy.consumesValues { settle() }
  }

  @inlinable
  func part(isLeft: Bool) -> UpstreamScope<Failure> {
    UpstreamScope(in: scope) { [self] end in
      gate.run(self, end, isLeft) { $0.note($1, isLeft: $2) }
    }
  }

  @inlinable
  func note(_ end: End<Failure>, isLeft: Bool) {
    guard let input = CombinedInput(end) else { return scope.end(end) }
    if isLeft { left = input } else { right = input }
    settle()
  }

  /// Ends the subscription if no further pair is possible.
  @inlinable @inline(__always)
  func settle() {
    let result = policy.result(left, right)
    if result != .running { scope.end(result == .completed ? .completed : .sourceGone) }
  }

  @usableFromInline
  override func clear() {
    next = { _ in }
    policy.clear()
  }
}
