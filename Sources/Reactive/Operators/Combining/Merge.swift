public import TraceFormat

extension Signal {
  /// Forwards the values of several signals as they arrive.
  ///
  /// ```
  /// a       -1---2-|
  /// b       ---3-----4-|
  /// merge   -1-3-2---4-|
  /// ```
  ///
  /// Completes when all signals have completed, or at once if there are none. The first failure is
  /// forwarded and ends the subscriptions to all signals; signals that have not been subscribed to
  /// yet are skipped.
  ///
  /// - Parameters:
  ///   - signals: Subscribed to in this order.
  /// - Returns: A signal of the values of all signals.
  @inlinable
  public static func merge(
    _ signals: [Signal],
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let merged = MergedSignals(signals)
    return Signal(
      gated: Site("merge", file, line, column, [.merging, .passes, .partners]),
      .many(signals),
      argument: .merged(merged)
    ) { down in
      merged.start(Merging(down))
    }
  }

  /// Forwards the values of all signals in a sequence as they arrive; see `merge(_:)`.
  ///
  /// Each signal is taken from the sequence when the previous one has been subscribed to. No signal
  /// is taken after the subscription has ended, so the sequence may be endless.
  ///
  /// - Parameters:
  ///   - signals: Iterated once per subscription; the signals are subscribed to in this order.
  /// - Returns: A signal of the values of all signals.
  public static func merge(
    _ signals: some Sequence<Signal> & Sendable,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("merge", file, line, column, [.merging, .passes, .partners])) { down in
      let merging = Merging(down)
      var iterator = signals.makeIterator()
      while merging.scope.isActive {
        guard let signal = iterator.next() else { return merging.ended(.completed) }
        merging.subscribe(to: signal)
      }
    }
  }

  /// Forwards the values of this signal and of others as they arrive; see `merge(_:)`.
  @inlinable
  public func merge(
    with others: Signal...,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal.merge([self] + others, file: file, line: line, column: column)
  }
}

/// Forwards the values of several signals as they arrive; see `Signal.merge`.
@inlinable
public func merge<Value: Sendable, Failure: Error>(
  _ signals: Signal<Value, Failure>...,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<Value, Failure> {
  Signal.merge(signals, file: file, line: line, column: column)
}

/// Forwards the values of all signals in a sequence as they arrive; see `Signal.merge`.
@_disfavoredOverload
public func merge<Value: Sendable, Failure: Error>(
  _ signals: some Sequence<Signal<Value, Failure>> & Sendable,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<Value, Failure> {
  Signal.merge(signals, file: file, line: line, column: column)
}
