public import TraceFormat

extension Signal {
  /// Applies a function to the failure, if there is one.
  ///
  /// Values pass unchanged.
  ///
  /// - Parameters:
  ///   - transform: Runs at most once per subscription.
  /// - Returns: A signal with the same values and another type of failure.
  @inlinable
  public func mapFailure<NewFailure: Error>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(Site("mapFailure", file, line, column, .passes), .one(self)) {
      [self] down in
      attachMappingFailure(to: down, transform)
    }
  }

  @inlinable
  func attachMappingFailure<NewFailure: Error>(
    to down: Sink<Value, NewFailure>,
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) {
    let upstream = UpstreamScope<Failure>(in: down.scope) { [scope = down.scope] end in
      switch end {
      case .completed: scope.end(.completed)
      case .failed(let error): scope.end(.failed(transform(error)))
      case .sourceGone: scope.end(.sourceGone)
      }
    }
    attach(Sink(upstream, down.trace, down.downstreamGate, next: down.next))
  }
}

extension Signal where Failure == Never {
  /// Gives a failure type to a signal that cannot fail, so that it can be combined with a signal
  /// that can fail.
  ///
  /// - Parameters:
  ///   - to: The type of failure. It can be left out where the compiler infers it.
  /// - Returns: A signal that forwards all events, and never fails.
  @inlinable
  public func promoteFailure<NewFailure: Error>(
    to: NewFailure.Type = NewFailure.self,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(
      Site("promoteFailure", file, line, column, .passes),
      .one(self),
      argument: .none
    ) { [self] down in
      attachPromoted(to: down)
    }
  }
  /// Subscribes to this signal with a sink that accepts failures.
  @inlinable
  func attachPromoted<NewFailure: Error>(to down: Sink<Value, NewFailure>) {
    attachMappingFailure(to: down) { (never: Never) -> NewFailure in }
  }
}
