/// The state of one `zip`, changed inside its gate only; pairs are sent in the order in which their
/// later values came.
///
/// Unchecked for that reason.
@usableFromInline
final class ZipStage<A: Sendable, B: Sendable, Failure: Error>: GatedStage, @unchecked Sendable {
  @usableFromInline let scope: Scope<Failure>
  @exclusivity(unchecked) @usableFromInline var next: @Sendable ((A, B)) -> Void
  @exclusivity(unchecked) @usableFromInline var left: Held<Fifo<A>>
  @exclusivity(unchecked) @usableFromInline var right: Held<Fifo<B>>
  @exclusivity(unchecked) @usableFromInline var leftEnded = false
  @exclusivity(unchecked) @usableFromInline var rightEnded = false
  /// Which of the ended sides ended without an event.
  @exclusivity(unchecked) @usableFromInline var leftGone = false
  @exclusivity(unchecked) @usableFromInline var rightGone = false

  @inlinable
  init(_ down: Sink<(A, B), Failure>) {
    scope = down.scope
    next = down.next
    left = Held(Fifo(), for: down.trace)
    right = Held(Fifo(), for: down.trace)
    super.init(above: down.below)
  }

  /// Subscribes to both sides.
  @inlinable
  static func start(
    _ a: (Sink<A, Failure>) -> Void,
    _ b: (Sink<B, Failure>) -> Void,
    _ down: Sink<(A, B), Failure>
  ) {
    let stage = ZipStage(down)
    down.scope.own(stage)
    let left = stage.part(isLeft: true, of: down.scope)
    let right = stage.part(isLeft: false, of: down.scope)
    a(
      Sink(left, down.trace, stage) { value in
        if stage.gate.enter() {
          stage.receiveLeft(value)
          stage.gate.leave()
        } else {
          stage.gate.wait { stage.receiveLeft(value) }
        }
      }
    )
    guard down.scope.isActive else { return }
    b(
      Sink(right, down.trace, stage) { value in
        if stage.gate.enter() {
          stage.receiveRight(value)
          stage.gate.leave()
        } else {
          stage.gate.wait { stage.receiveRight(value) }
        }
      }
    )
  }

  @inlinable
  func receiveLeft(_ value: A) {
    guard scope.isActive else { return }
    guard let other = right.pop() else { return left.push(value) }
    next((value, other))
    settle()
  }

  @inlinable
  func receiveRight(_ value: B) {
    guard scope.isActive else { return }
    guard let other = left.pop() else { return right.push(value) }
    next((other, value))
    settle()
  }

  @inlinable
  func settle() {
    let leftIsOver = leftEnded && left.values.isEmpty
    let rightIsOver = rightEnded && right.values.isEmpty
    guard leftIsOver || rightIsOver else { return }
    let isCompleted = (leftIsOver && !leftGone) || (rightIsOver && !rightGone)
    scope.end(isCompleted ? .completed : .sourceGone)
  }

  @inlinable
  func part(isLeft: Bool, of scope: Scope<Failure>) -> UpstreamScope<Failure> {
    UpstreamScope(in: scope) { [self] end in
      if gate.enter() {
        note(end, isLeft)
        gate.leave()
      } else {
        gate.wait { self.note(end, isLeft) }
      }
    }
  }

  @inlinable
  func note(_ end: End<Failure>, _ isLeft: Bool) {
    var isGone = false
    switch end {
    case .completed: break
    case .failed: return scope.end(end)
    // The source can no longer send, without having ended: no further pair once its values are used
    // up.
    case .sourceGone: isGone = true
    }
    if isLeft {
      (leftEnded, leftGone) = (true, isGone)
    } else {
      (rightEnded, rightGone) = (true, isGone)
    }
    settle()
  }

  @usableFromInline
  override func clear() {
    next = { _ in }
    left.values = Fifo()
    right.values = Fifo()
  }
}
