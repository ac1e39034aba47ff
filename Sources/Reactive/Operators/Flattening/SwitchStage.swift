/// Runs the latest of several signals; each new one ends the one before.
///
/// Unchecked for `current`, which only the outer signal uses, one event at a time.
@usableFromInline
final class SwitchStage<Value: Sendable, Failure: Error>: @unchecked Sendable {
  @usableFromInline let merging: Merging<Value, Failure>
  @exclusivity(unchecked) @usableFromInline var current: MergePart<Value, Failure>?

  @inlinable
  init(_ down: Sink<Value, Failure>) { merging = Merging(down) }

  /// Disposes of the signal before, drops its values that still wait, then subscribes to `inner`.
  @inlinable
  func receive(_ inner: Signal<Value, Failure>) { merging.run(inner, in: replace()) }

  /// Does the same for a signal that cannot fail.
  @inlinable
  func receive(infallible inner: Signal<Value, Never>) {
    merging.run(infallible: inner, in: replace())
  }

  @inlinable @inline(__always)
  func replace() -> MergePart<Value, Failure> {
    merging.join()
    if let current {
      current.abandon()
      current.finish(.completed, upstream: .cancelled)
    }
    let part = merging.part()
    current = part
    return part
  }
}
