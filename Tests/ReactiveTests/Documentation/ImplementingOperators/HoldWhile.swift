import TraceFormat

@testable import Reactive

extension Signal {
  /// Holds values back while the latest value of another signal is true.
  ///
  /// ```
  /// source          -1-2-3----4-|
  /// condition       --t----f
  /// hold(while:)    -1-----(23)--4-|
  /// ```
  ///
  /// Completion waits until the held values have been forwarded; a failure overtakes and drops them
  /// (contract rule 4). The condition is subscribed to first; it counts as false until it sends a value,
  /// and again when it has ended.
  ///
  /// - Parameters:
  ///   - condition: Sends true when values are to be held, and false when they are to be forwarded.
  /// - Returns: A signal of the same values in the same order.
  /// - Complexity: Retains the held values, without a bound.
  func hold(
    while condition: Signal<Bool, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("hold(while:)", file, line, column, [.queues, .triggers]),
      .many([self, condition]),
      argument: .none
    ) { [self] down in
      let stage = HoldStage(down)
      down.scope.own(stage)
      let switching = UpstreamScope<Never>(in: down.scope) { _ in stage.receive(.isHolding(false)) }
      condition.attach(Sink(switching, down.trace, stage) { stage.receive(.isHolding($0)) })
      guard down.scope.isActive else { return }
      let source = UpstreamScope<Failure>(in: down.scope) { stage.receive(.end($0)) }
      attach(Sink(source, down.trace, stage) { stage.receive(.value($0)) })
    }
  }
}

/// Holds values, and changes its state only inside the gate.
///
/// Unchecked for that reason.
private final class HoldStage<Value: Sendable, Failure: Error>: GatedStage, @unchecked Sendable {
  enum Input: Sendable {
    case value(Value)
    case isHolding(Bool)
    case end(End<Failure>)
  }

  private let scope: Scope<Failure>
  private var next: @Sendable (Value) -> Void
  private var isHolding = false
  /// The trace shows how many there are.
  private var held: Held<Fifo<Value>>
  /// The end of the source, if values are still held.
  private var pendingEnd: End<Failure>?

  init(_ down: Sink<Value, Failure>) {
    scope = down.scope
    next = down.next
    held = Held(Fifo(), for: down.trace)
    super.init(downstream: down.downstreamGate)
  }

  /// Handles one input: now, or later by the thread that is handling another one (rule 3).
  func receive(_ input: Input) { gate.run(self, input) { $0.handle($1) } }

  private func handle(_ input: Input) {
    guard scope.isActive else { return }
    switch input {
    case .value(let value) where isHolding: held.push(value)
    case .value(let value): next(value)
    case .isHolding(let isHolding):
      self.isHolding = isHolding
      if !isHolding { release() }
    case .end(.failed(let error)): scope.end(.failed(error))
    case .end(let end) where held.values.isEmpty: scope.end(end)
    case .end(let end): pendingEnd = end
    }
  }

  private func release() {
    while scope.isActive, let value = held.pop() { next(value) }
    if let pendingEnd { scope.end(pendingEnd) }
  }

  /// Called inside the gate, once the delivery under way has returned.
  override func clear() {
    next = { _ in }
    held.values = Fifo()
  }
}
