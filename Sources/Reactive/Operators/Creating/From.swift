public import ReactiveTrace

extension Signal {
  /// A cold signal that sends the values of a sequence, then completes.
  ///
  /// The sequence may be endless: it is asked for no value after the subscription has ended. Values are
  /// sent by the thread that starts the subscription, one after another, without a pause for others.
  @inlinable
  public static func from(
    _ values: some Sequence<Value> & Sendable,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(direct: Site("from", file, line, column)) { scope, trace, next in
      let down = Sink(in: scope, trace, next: next)
      if down.hasScheduler {
        down.sendAll(values)
      } else {
        down.startLater { down.sendAll(values) }
      }
    }
  }
}

extension Sink {
  @inlinable @inline(__always)
  func sendAll(_ values: some Sequence<Value>) {
    if trace != nil { return sendTicking(values) }
    var iterator = values.makeIterator()
    while scope.isActive, let value = iterator.next() { next(value) }
    scope.end(.completed)
  }

  /// Sends all values, each with a time of its own.
  @inlinable
  func sendTicking(_ values: some Sequence<Value>) {
    var iterator = values.makeIterator()
    while scope.isActive, let value = iterator.next() {
      Tracer.tick()
      next(value)
    }
    scope.end(.completed)
  }
}
