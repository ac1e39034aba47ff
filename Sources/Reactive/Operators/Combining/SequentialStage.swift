import TraceFormat

/// Subscribes to the signals of a sequence one after another.
///
/// This class is `@unchecked Sendable` because of `iterator`, which is used only to make the next
/// subscription, and therefore by one thread at a time.
final class SequentialStage<
  Signals: Sequence & Sendable,
  Value: Sendable,
  SourceFailure: Error,
  Failure: Error
>: Resubscribing, @unchecked Sendable where Signals.Element == Signal<Value, SourceFailure> {
  private var iterator: Signals.Iterator
  private let down: Sink<Value, Failure>
  private let endsWith: @Sendable (End<SourceFailure>) -> End<Failure>?

  /// - Parameters:
  ///   - signals: The sequence; each signal is taken from it when the previous one has ended.
  ///   - down: Receives the values and the end.
  ///   - endsWith: Called with the end of each signal; returns the end to forward, or nil to
  ///     continue with the next signal.
  init(
    _ signals: Signals,
    _ down: Sink<Value, Failure>,
    endsWith: @escaping @Sendable (End<SourceFailure>) -> End<Failure>?
  ) {
    iterator = signals.makeIterator()
    self.down = down
    self.endsWith = endsWith
    super.init(down.scope, downstream: down.downstreamGate) {
      unsafeDowncast($0, to: SequentialStage.self).attach()
    }
  }

  private func attach() {
    guard let signal = iterator.next() else { return down.scope.end(.completed) }
    let part = UpstreamScope<SourceFailure>(in: down.scope) { [self] end in
      if let end = endsWith(end) { down.scope.end(end) } else { resubscribe() }
    }
    signal.attach(Sink(part, down.trace, down.downstreamGate, next: down.next))
  }
}

extension Signal {
  /// Forwards the signals of a sequence one after another.
  ///
  /// ```
  /// a        -1-2-|
  /// b             -3-|
  /// concat   -1-2--3-|
  /// ```
  ///
  /// Each signal is subscribed to when the previous one has completed; after a failure, no further
  /// signal is subscribed to. The sequence may be endless, because a signal is taken from it only
  /// when that signal is to be subscribed to. If the sequence is empty, the result completes at
  /// once.
  ///
  /// - Parameters:
  ///   - signals: Iterated anew for each subscription.
  /// - Returns: A signal that completes when the last signal has completed, and fails when any
  ///   signal fails.
  public static func concat(
    _ signals: some Sequence<Signal> & Sendable,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("concat", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .many((signals as? [Signal]) ?? []),
      argument: signals is [Signal] ? .list : .closure
    ) { down in
      SequentialStage(signals, down) { end in if case .completed = end { nil } else { end } }
        .start()
    }
  }

  /// Forwards this signal and then the others, one after another, and continues even after a
  /// failure.
  ///
  /// ```
  /// source                    -1-#
  /// other                        -2-|
  /// onFailureResumeNext(…)    -1--2-|
  /// ```
  ///
  /// All failures are dropped, including that of the last signal.
  ///
  /// - Parameters:
  ///   - others: Subscribed to in this order, each when the previous one has ended.
  /// - Returns: A signal that completes when the last signal has ended, and cannot fail.
  public func onFailureResumeNext(
    with others: Signal...,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, Never> {
    let signals = [self] + others
    return Signal<Value, Never>(
      Site("onFailureResumeNext", file, line, column, [.merging, .passes]),
      .many(signals),
      argument: .none
    ) { down in
      SequentialStage(signals, down) { end -> End<Never>? in
        if case .sourceGone = end { .sourceGone } else { nil }
      }
      .start()
    }
  }
}
