public import TraceFormat

extension Signal {
  /// Collects values into lists: each value of another signal ends a list and begins the next one.
  ///
  /// ```
  /// source                 -1-2--3-4-|
  /// boundary               ----xx-x---
  /// buffer(boundary: …)    ----ab-c--(d|)   a: [1, 2], b: [], c: [3], d: [4]
  /// ```
  ///
  /// Whenever the boundary sends a value, the operator sends the current list, even if it is empty.
  /// It subscribes to the boundary before the source. When the boundary ends, even with a failure,
  /// the operator sends nothing, and continues to collect values in the current list. When the
  /// source completes or can no longer send (event contract, rule 11), the operator first sends the
  /// current list, unless it is empty. If the source fails, the operator drops the list (event
  /// contract, rule 4).
  ///
  /// - Parameters:
  ///   - boundary: Each of its values ends a list; the values themselves are not used.
  /// - Returns: A signal of lists, which ends exactly when this one does, and in the same way.
  /// - Complexity: Retains the values of the current list, however many there are.
  @inlinable
  public func buffer<Boundary: Sendable, BoundaryFailure: Error>(
    boundary: Signal<Boundary, BoundaryFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(
      // The trait `bounding` says that the operator itself ends a subscription: when the source
      // ends, it ends the subscription to the boundary, which may be endless.
      Site("buffer(boundary:)", file, line, column, [.bounding, .folds, .triggers]),
      .many([self, boundary]),
      argument: .none
    ) { [self] down in
      let stage = BoundaryStage(down)
      down.scope.own(stage)
      let divided = UpstreamScope<BoundaryFailure>(in: down.scope) { _ in }
      let kept = Arrival.collect {
        boundary.attach(Sink(divided, down.trace, stage) { _ in stage.divide() })
      }
      guard down.scope.isActive else { return }
      let source = UpstreamScope<Failure>(in: down.scope) { stage.end($0) }
      attach(
        Sink(source, down.trace, stage) { stage.gate.run(stage, $0) { $0.receive($1) } },
        after: kept
      )
    }
  }
}

/// The state of one subscription to `buffer(boundary:)`: the current list.
///
/// This class is `@unchecked Sendable` because of `next` and `held`, which are used only inside the
/// gate, which lets one thread at a time deliver events.
@usableFromInline
final class BoundaryStage<Value: Sendable, Failure: Error>: GatedStage, @unchecked Sendable {
  @usableFromInline let scope: Scope<Failure>
  @exclusivity(unchecked) @usableFromInline var next: @Sendable ([Value]) -> Void
  @exclusivity(unchecked) @usableFromInline var held: Held<[Value]>

  @usableFromInline
  init(_ down: Sink<[Value], Failure>) {
    scope = down.scope
    held = Held([], for: down.trace)
    next = down.next
    super.init(downstream: down.downstreamGate)
  }

  @inlinable
  func receive(_ value: Value) {
    if scope.isActive { held.change { $0.append(value) } }
  }

  @usableFromInline
  func divide() { gate.run { self.send() } }

  @usableFromInline
  func end(_ end: End<Failure>) {
    gate.run {
      if !end.isFailure, !self.held.values.isEmpty { self.send() }
      self.scope.end(end)
    }
  }

  private func send() {
    if scope.isActive { next(held.takeAll()) }
  }

  @usableFromInline
  override func clear() {
    next = { _ in }
    held.values = []
  }
}
