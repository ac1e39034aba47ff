extension Merging {
  /// Subscribes to a signal in a scope that is already counted as running: at once or, if an event
  /// is being delivered downstream, after that delivery (event contract, rule 10).
  @inlinable @inline(__always)
  func run(_ inner: Signal<Value, Failure>, in part: Scope<Failure>) {
    if descend(inner, in: part) { return }
    if outlet.isPathOpen {
      attach(inner, part)
    } else {
      outlet.whenOpen { self.attach(inner, part) }
    }
  }

  /// Subscribes in the same way to a signal that cannot fail.
  @inlinable
  func run(infallible inner: Signal<Value, Never>, in part: Scope<Failure>) {
    if outlet.isPathOpen {
      attach(infallible: inner, part)
    } else {
      outlet.whenOpen { self.attach(infallible: inner, part) }
    }
  }

  /// Subscribes in the same way in a ``MergePart``, a scope whose end has no other effect than to
  /// be counted.
  @inlinable @inline(__always)
  func run(_ inner: Signal<Value, Failure>, in part: __owned MergePart<Value, Failure>) {
    if descend(inner, in: part) { return }
    if outlet.isPathOpen {
      attach(inner, consume part)
    } else {
      outlet.whenOpen { [part = consume part] in self.attach(inner, part) }
    }
  }
}
