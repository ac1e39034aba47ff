/// One subscription to `and`, `or`, `all` or `any`: it keeps the latest value of each signal, and
/// counts the true values.
///
/// This class is `@unchecked Sendable` because its state is used only inside the gate, which lets
/// one thread at a time deliver events.
final class LogicStage<Failure: Error>: GatedStage, @unchecked Sendable {
  private let scope: Scope<Failure>
  private let isConjunction: Bool
  @exclusivity(unchecked) private var next: @Sendable (Bool) -> Void
  @exclusivity(unchecked) private var latest: [Bool?]
  @exclusivity(unchecked) private var missing: Int
  @exclusivity(unchecked) private var trueCount = 0
  @exclusivity(unchecked) private var running: Int
  @exclusivity(unchecked) private var hasLostSource = false

  private init(_ down: Sink<Bool, Failure>, count: Int, isConjunction: Bool) {
    scope = down.scope
    next = down.next
    self.isConjunction = isConjunction
    latest = Array(repeating: nil, count: count)
    missing = count
    running = count
    super.init(downstream: down.downstreamGate)
  }

  /// Subscribes to all signals.
  static func start(
    _ signals: [Signal<Bool, Failure>],
    _ down: Sink<Bool, Failure>,
    isConjunction: Bool
  ) {
    if signals.isEmpty { return down.finish(with: isConjunction) }
    let stage = LogicStage(down, count: signals.count, isConjunction: isConjunction)
    down.scope.own(stage)
    var kept: Arrival?
    for (index, signal) in signals.enumerated() {
      guard down.scope.isActive else { return }
      let part = UpstreamScope<Failure>(in: down.scope) { end in stage.gate.run { stage.note(end) }
      }
      let sink = Sink<Bool, Failure>(part, down.trace, stage) { value in
        stage.gate.run(stage, value, index) { $0.receive($1, $2) }
      }
      let former = kept
      kept = Arrival.collect(after: former) { signal.attach(sink, after: former) }
    }
  }

  private func receive(_ value: Bool, _ index: Int) {
    guard scope.isActive else { return }
    if latest[index] == nil { missing -= 1 }
    trueCount += (value ? 1 : 0) - (latest[index] == true ? 1 : 0)
    latest[index] = value
    if missing == 0 { next(isConjunction ? trueCount == latest.count : trueCount > 0) }
  }

  private func note(_ end: End<Failure>) {
    if case .failed = end { return scope.end(end) }
    if case .sourceGone = end { hasLostSource = true }
    running -= 1
    if running == 0 { scope.end(hasLostSource ? .sourceGone : .completed) }
  }

  override func clear() { next = { _ in } }
}
