/// Runs the latest inner signal; each new one ends the previous one.
///
/// Unchecked because of `current`, which is used only while the stage receives a value, and the
/// values of the outer signal are serial.
@usableFromInline
final class SwitchStage<Value: Sendable, Failure: Error>: @unchecked Sendable {
  @usableFromInline let merging: Merging<Value, Failure>
  @exclusivity(unchecked) @usableFromInline var current: MergePart<Value, Failure>?

  @inlinable
  init(_ down: Sink<Value, Failure>) { merging = Merging(down) }

  /// Disposes of the previous signal, drops those of its values that still wait, and then
  /// subscribes to `inner`.
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
