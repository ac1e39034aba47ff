public import TraceFormat

extension Signal {
  /// Collects values into lists, which the values of another signal separate.
  ///
  /// ```
  /// source                 -1-2-3-4-5-|
  /// boundary               ----x--xx---
  /// buffer(boundary: …)    ----a--bc--(d|)   a: [1, 2], b: [3], c: [], d: [4, 5]
  /// ```
  ///
  /// Each value of the boundary sends the current list, even if it is empty. The boundary is
  /// subscribed to first. Its end, even a failure, sends nothing: values continue to be collected.
  /// Completion of the source first sends the remaining values, and so does a source that can no
  /// longer send (contract rule 11); a failure of the source drops them (contract rule 4).
  ///
  /// - Parameters:
  ///   - boundary: Its values are not used.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of lists, which ends exactly when this one does, and in the same way.
  /// - Complexity: Retains the values of a list, without a bound.
  @inlinable
  public func buffer<Boundary: Sendable, BoundaryFailure: Error>(
    boundary: Signal<Boundary, BoundaryFailure>,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(
      // It is bounding because an endless boundary ends with the source.
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

/// The list that is being collected, changed inside the gate only.
///
/// Its `Sendable` conformance is unchecked for that reason.
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
