/// Runs the latest inner signal; each new inner signal ends the previous one.
///
/// This class is `@unchecked Sendable` because of `current`, which is used only while the stage
/// receives a value, and the outer signal sends one value at a time.
@usableFromInline
final class SwitchStage<Value: Sendable, Failure: Error>: @unchecked Sendable {
  @usableFromInline let merging: Merging<Value, Failure>
  @exclusivity(unchecked) @usableFromInline var current: MergePart<Value, Failure>?

  @inlinable
  init(_ down: Sink<Value, Failure>) { merging = Merging(down) }

  /// Disposes of the previous signal, drops its waiting values, and then subscribes to `inner`.
  @inlinable
  func receive(_ inner: Signal<Value, Failure>) { merging.run(inner, in: replace()) }

  /// Switches in the same way to a signal that cannot fail.
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
