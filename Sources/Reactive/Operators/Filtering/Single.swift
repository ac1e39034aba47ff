public import TraceFormat

/// How a signal failed to send exactly one value; see ``Signal/single(orFail:file:line:column:)``.
public enum SingleMismatch: Error, Equatable, Sendable {
  /// The signal completed without a value.
  case noValue
  /// The signal sent a second value.
  case severalValues
}

extension Signal {
  /// Forwards the only value when the source completes; fails if the source completes without a
  /// value, or as soon as it sends a second one.
  ///
  /// ```
  /// source            -1-|     -1-2-3-|     --|
  /// single { … }      ---(1|)  ---#         --#
  /// ```
  ///
  /// The value is held until completion, because only then is it known to be the only one. A
  /// failure of the source is forwarded unchanged, without the held value (event contract, rule 4).
  ///
  /// A signal that cannot fail needs ``promoteFailure(to:file:line:column:)`` first. If several
  /// values are allowed, use `take(1)` for the first or `take(last: 1)` for the last.
  ///
  /// - Parameters:
  ///   - failure: Makes the failure; runs at most once per subscription.
  /// - Returns: A signal that sends exactly one value and completes, or fails.
  /// - Complexity: Retains one value per subscription.
  @inlinable
  public func single(
    orFail failure: @escaping @Sendable (SingleMismatch) -> Failure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("single", file, line, column, [.bounding, .drops, .sendsAtEnd])
    return Signal(site, .one(self)) { [self] down in
      let held = StageState<Value?>(nil)
      let upstream = UpstreamScope<Failure>(in: down.scope) { end in
        guard case .completed = end else { return down.scope.end(end) }
        guard let value = held.value else { return down.scope.end(.failed(failure(.noValue))) }
        down.next(value)
        down.scope.end(.completed)
      }
      attach(
        Sink(upstream, down.trace, down.downstreamGate) { value in
          if held.value == nil {
            held.value = value
          } else {
            upstream.finish(.failed(failure(.severalValues)), upstream: .cancelled)
          }
        }
      )
    }
  }
}
