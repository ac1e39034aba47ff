import TraceFormat

/// What `flatten(limit:policy:)` does with a new signal while the maximum number of signals is
/// running.
public enum FlattenPolicy: Sendable, Hashable {
  /// The new signal waits until one of the running signals has completed.
  case queue
  /// The signal that has run for the longest time is disposed of, and the new signal runs instead.
  case disposeEarliest
  /// The running signal that arrived last is disposed of, and the new signal runs instead.
  case disposeLatest

  /// What the trace says of the operator: only with ``queue`` do signals wait for their turn.
  var waitingTraits: SiteTraits { self == .queue ? .queuesInner : [] }
}

extension Signal {
  /// Subscribes to the signals that this signal sends, at most `limit` at a time, and forwards
  /// their values; a policy decides what happens when another signal arrives.
  ///
  /// ```
  /// source                    -A--B--C--|
  /// A, B, C                   1-2-3-4-5-|
  /// limit 1, queue            -1-2-3-4-5-1-2-… one after another, as concat
  /// limit 1, disposeEarliest  -1-21-21-2-3-4-5-|   as switchToLatest
  /// ```
  ///
  /// A signal that is replaced is disposed of before the new signal is subscribed to, and none of
  /// its values is forwarded after that.
  ///
  /// - Parameters:
  ///   - limit: How many signals may run at a time; must be at least 1.
  ///   - policy: What happens to a signal that arrives while `limit` signals are running.
  /// - Returns: A signal that completes when this one has completed and no inner signal is running
  ///   or waiting, and that fails as soon as one of them fails.
  /// - Complexity: Retains the running signals and, with `.queue`, any number of waiting signals.
  public func flatten<Inner: Sendable>(
    limit: Int,
    policy: FlattenPolicy,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> where Value == Signal<Inner, Failure> {
    precondition(
      limit >= 1,
      "flatten(limit: \(limit), policy:): the limit must be ≥ 1 (OperatorIndex, flatten(limit:policy:))"
    )
    return Signal<Inner, Failure>(
      Site(
        "flatten(limit:policy:)",
        file,
        line,
        column,
        [.merging, .flattens, policy.waitingTraits]
      ),
      .one(self),
      argument: .integer(limit)
    ) { [self] down in
      if policy == .queue {
        let stage = FlattenStage(down, limit: limit)
        attach(Sink(stage.merging.part(), down.trace, stage.merging.outlet) { stage.receive($0) })
      } else {
        let stage = ReplacingStage(down, limit: limit, replacesEarliest: policy == .disposeEarliest)
        attach(Sink(stage.merging.part(), down.trace, stage.merging.outlet) { stage.receive($0) })
      }
    }
  }
}

/// Runs a limited number of inner signals at a time; at the limit, a new signal replaces a running
/// one.
private final class ReplacingStage<Value: Sendable, Failure: Error>: Sendable {
  private struct Runner: Sendable {
    let number: Int
    let scope: Scope<Failure>
  }

  private struct State: Sendable {
    var runners: [Runner] = []
    var count = 0
  }

  let merging: Merging<Value, Failure>
  private let limit: Int
  private let replacesEarliest: Bool
  private let state = Locked(State())

  init(_ down: Sink<Value, Failure>, limit: Int, replacesEarliest: Bool) {
    merging = Merging(down)
    self.limit = limit
    self.replacesEarliest = replacesEarliest
  }

  func receive(_ inner: Signal<Value, Failure>) {
    merging.join()
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let scope = UpstreamScope<Failure>(in: merging.scope) { [self] end in
      state.withLock { state in state.runners.removeAll { $0.number == number } }
      merging.ended(end)
    }
    let replaced = state.withLock { state -> Scope<Failure>? in
      defer { state.runners.append(Runner(number: number, scope: scope)) }
      guard state.runners.count >= limit else { return nil }
      return (replacesEarliest ? state.runners.removeFirst() : state.runners.removeLast()).scope
    }
    if let replaced {
      replaced.abandon()
      replaced.finish(.completed, upstream: .cancelled)
    }
    merging.run(inner, in: scope)
  }
}
