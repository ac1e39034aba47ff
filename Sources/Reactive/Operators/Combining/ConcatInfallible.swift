import TraceFormat

extension Signal {
  /// Forwards this signal and, once this signal has completed, another, which cannot fail; see
  /// ``concat(_:file:line:column:)``.
  @_disfavoredOverload
  public func concat(
    _ other: Signal<Value, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("concat", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .many([self, other]),
      argument: .following(Descending<Value, Failure>(.signal(self), .infallible(other)))
    ) { [self] down in attach(down, thenInfallible: other) }
  }
}

extension Signal where Failure == Never {
  /// Forwards this signal and, once this signal has completed, another, which may fail; see
  /// ``concat(_:file:line:column:)``.
  @_disfavoredOverload
  public func concat<OtherFailure: Error>(
    _ other: Signal<Value, OtherFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, OtherFailure> {
    Signal<Value, OtherFailure>(
      Site("concat", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .many([self, other]),
      argument: .following(Descending<Value, OtherFailure>(.infallible(self), .signal(other)))
    ) { [self] down in attach(down, then: { other }) }
  }
}

extension Signal {
  /// Forwards this signal and, once this signal has completed, another, which cannot fail; see
  /// ``append(_:file:line:column:)``.
  @_disfavoredOverload
  public func append(
    _ other: Signal<Value, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("append", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .many([self, other]),
      argument: .following(Descending<Value, Failure>(.signal(self), .infallible(other)))
    ) { [self] down in attach(down, thenInfallible: other) }
  }
}

extension Signal where Failure == Never {
  /// Forwards this signal and, once this signal has completed, another, which may fail; see
  /// ``append(_:file:line:column:)``.
  @_disfavoredOverload
  public func append<OtherFailure: Error>(
    _ other: Signal<Value, OtherFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, OtherFailure> {
    Signal<Value, OtherFailure>(
      Site("append", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .many([self, other]),
      argument: .following(Descending<Value, OtherFailure>(.infallible(self), .signal(other)))
    ) { [self] down in attach(down, then: { other }) }
  }
}

extension Signal {
  /// Forwards another signal, which cannot fail, and then this one; see
  /// ``prepend(_:file:line:column:)``.
  @_disfavoredOverload
  public func prepend(
    _ other: Signal<Value, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("prepend", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .many([other, self]),
      argument: .following(Descending<Value, Failure>(.infallible(other), .signal(self)))
    ) { [self] down in other.attach(down, then: { self }) }
  }
}

extension Signal where Failure == Never {
  /// Forwards another signal, which may fail, and then this one; see
  /// ``prepend(_:file:line:column:)``.
  @_disfavoredOverload
  public func prepend<OtherFailure: Error>(
    _ other: Signal<Value, OtherFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, OtherFailure> {
    Signal<Value, OtherFailure>(
      Site("prepend", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .many([other, self]),
      argument: .following(Descending<Value, OtherFailure>(.signal(other), .infallible(self)))
    ) { [self] down in other.attach(down, thenInfallible: self) }
  }
}

extension Signal {
  /// Subscribes `down` to this signal and, once this signal has completed, to another that cannot
  /// fail.
  func attach(_ down: Sink<Value, Failure>, thenInfallible other: Signal<Value, Never>) {
    let tail = down.chained()
    let first = UpstreamScope<Failure>(in: down.scope) { end in
      guard case .completed = end, let loop = tail.downstreamGate as? TailLoop else {
        return tail.scope.end(end)
      }
      tail.startNext(in: loop) { other.attachPromoted(to: $0) }
    }
    attach(Sink(first, down.trace, down.downstreamGate, next: down.next))
  }
}

extension Signal where Failure == Never {
  /// Subscribes `down` to this signal and, once this signal has completed, to the signal that
  /// `make` returns, which may fail.
  func attach<OtherFailure: Error>(
    _ down: Sink<Value, OtherFailure>,
    then make: @escaping @Sendable () -> Signal<Value, OtherFailure>
  ) {
    let tail = down.chained()
    let first = UpstreamScope<Never>(in: down.scope) { end in
      if case .completed = end { tail.attachNext(make) } else { tail.scope.end(end.promoted()) }
    }
    attach(Sink(first, down.trace, down.downstreamGate, next: down.next))
  }
}
