public import TraceFormat

extension Signal {
  /// Continues with another signal when this one fails.
  ///
  /// ```
  /// source    -1-2-#
  /// other          -3-|
  /// catch     -1-2--3-|
  /// ```
  ///
  /// A failure of the other signal is forwarded.
  ///
  /// - Parameters:
  ///   - handler: Receives the failure, and returns the signal to continue with; runs at most once
  ///     per subscription.
  /// - Returns: A signal that fails only if the other signal does.
  @inlinable @_disfavoredOverload
  public func `catch`<NewFailure: Error>(
    _ handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(Site("catch", file, line, column, .passes), .one(self)) {
      [self] down in
      attach(down, replacing: handler)
    }
  }

  /// When this signal fails, continues with another signal, which cannot fail; see
  /// ``catch(_:file:line:column:)``.
  @inlinable
  public func `catch`(
    _ handler: @escaping @Sendable (Failure) -> Signal<Value, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, Never> {
    Signal<Value, Never>(Site("catch", file, line, column, .passes), .one(self)) { [self] down in
      attach(down, replacing: handler)
    }
  }

  /// Continues with a given signal when this one fails.
  ///
  /// ```
  /// source           -1-2-#
  /// other                 -3-|
  /// catch(to: other) -1-2--3-|
  /// ```
  ///
  /// A failure of the other signal is forwarded.
  ///
  /// - Parameters:
  ///   - other: Subscribed to when this signal has failed, and not before.
  /// - Returns: A signal that fails only if the other signal does.
  @inlinable @_disfavoredOverload
  public func `catch`<NewFailure: Error>(
    to other: Signal<Value, NewFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(
      Site("catch(to:)", file, line, column, .passes),
      .many([self, other]),
      argument: .none
    ) { [self] down in
      attach(down, replacing: { _ in other })
    }
  }

  /// Subscribes `down` to this signal and, once this signal has failed, to the signal that
  /// `handler` returns.
  @inlinable
  func attach<NewFailure: Error>(
    _ down: Sink<Value, NewFailure>,
    replacing handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>
  ) {
    let tail = down.chained()
    let first = UpstreamScope<Failure>(in: down.scope) { end in
      switch end {
      case .completed: tail.scope.end(.completed)
      case .failed(let error): tail.attachNext { handler(error) }
      case .sourceGone: tail.scope.end(.sourceGone)
      }
    }
    attach(Sink(first, down.trace, down.downstreamGate, next: down.next))
  }
}
