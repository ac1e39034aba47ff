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
    Signal(Site("from", file, line, column)) { down in
      down.startCold {
        if down.trace != nil { return down.sendTicking(values) }
        var iterator = values.makeIterator()
        while down.scope.isActive, let value = iterator.next() { down.next(value) }
        down.scope.end(.completed)
      }
    }
  }
}

extension Sink {
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
