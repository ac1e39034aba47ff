import TraceFormat

/// The state of one `combineLatest`, changed inside its gate only.
///
/// Unchecked for that reason.
@usableFromInline
final class LatestStage<A: Sendable, B: Sendable, Failure: Error>: GatedStage, @unchecked Sendable {
  @usableFromInline let scope: Scope<Failure>
  @exclusivity(unchecked) @usableFromInline var next: @Sendable ((A, B)) -> Void
  @exclusivity(unchecked) @usableFromInline var left: A?
  @exclusivity(unchecked) @usableFromInline var right: B?
  @exclusivity(unchecked) @usableFromInline var running = 2
  @exclusivity(unchecked) @usableFromInline var lostOne = false

  @inlinable
  init(_ down: Sink<(A, B), Failure>) {
    scope = down.scope
    next = down.next
    super.init(above: down.below)
  }

  /// Subscribes to both sides.
  @inlinable
  static func start(
    _ a: (Sink<A, Failure>) -> Void,
    _ b: (Sink<B, Failure>) -> Void,
    _ down: Sink<(A, B), Failure>
  ) {
    let stage = LatestStage(down)
    down.scope.own(stage)
    let kept = Arrival.collect {
      a(
        Sink(stage.part(of: down.scope), down.trace, stage) { value in
          if stage.gate.enter() {
            stage.receiveLeft(value)
            stage.gate.leave()
          } else {
            stage.gate.wait { stage.receiveLeft(value) }
          }
        }
      )
    }
    guard down.scope.isActive else { return }
    let right = Sink(stage.part(of: down.scope), down.trace, stage) { value in
      if stage.gate.enter() {
        stage.receiveRight(value)
        stage.gate.leave()
      } else {
        stage.gate.wait { stage.receiveRight(value) }
      }
    }
    if let kept { right.held(for: kept, b) } else { b(right) }
  }

  @inlinable
  func receiveLeft(_ value: A) {
    guard scope.isActive else { return }
    left = value
    if let right { next((value, right)) }
  }

  @inlinable
  func receiveRight(_ value: B) {
    guard scope.isActive else { return }
    right = value
    if let left { next((left, value)) }
  }

  @inlinable
  func part(of scope: Scope<Failure>) -> UpstreamScope<Failure> {
    UpstreamScope(in: scope) { [self] end in
      if gate.enter() {
        note(end)
        gate.leave()
      } else {
        gate.wait { self.note(end) }
      }
    }
  }

  @inlinable
  func note(_ end: End<Failure>) {
    if case .failed = end {
      scope.end(end)
      return
    }
    if case .sourceGone = end { lostOne = true }
    running -= 1
    if running == 0 { scope.end(lostOne ? .sourceGone : .completed) }
  }

  @usableFromInline
  override func clear() {
    next = { _ in }
    left = nil
    right = nil
  }
}
