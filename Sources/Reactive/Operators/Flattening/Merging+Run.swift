extension Merging {
  /// Subscribes to a signal in a scope that is already counted as running, as soon as the gates
  /// downstream are open (contract rule 10).
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

  /// Subscribes in the same way in a ``MergePart``, whose end is only counted.
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
