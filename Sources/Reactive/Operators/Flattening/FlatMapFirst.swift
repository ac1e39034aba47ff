public import TraceFormat
public import Synchronization

extension Signal {
  /// Turns a value into a signal and forwards that signal; values that arrive while the signal runs
  /// are left out.
  ///
  /// ```
  /// source         -1--2----3--|
  /// flatMapFirst   --a-a-----a-a-|    of  -a-a-|  for each
  /// ```
  ///
  /// The closure does not run for values that are left out. A typical use is work that must not be
  /// started again while it is running. As with `concatMap`, a recursively defined signal uses no
  /// more stack and memory than one level.
  ///
  /// - Parameters:
  ///   - transform: Runs for each value that arrives while no inner signal runs.
  /// - Returns: A signal that completes when this one and the inner signal have completed, and
  ///   fails as soon as one of them fails.
  /// - Complexity: Retains one inner signal.
  @inlinable
  public func flatMapFirst<Inner: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> {
    Signal<Inner, Failure>(
      Site("flatMapFirst", file, line, column, [.merging, .drops]),
      .one(self),
      argument: levels(.first, transform)
    ) {
      [self] down in
      let stage = FirstStage(down)
      attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) { value in
          stage.receive { transform(value) }
        }
      )
    }
  }

  /// Turns a value into a signal that cannot fail, and leaves out values that arrive while that
  /// signal runs; see ``flatMapFirst(_:file:line:column:)``.
  @inlinable @_disfavoredOverload
  public func flatMapFirst<Inner: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> {
    Signal<Inner, Failure>(
      Site("flatMapFirst", file, line, column, [.merging, .drops]),
      .one(self),
      argument: levels(.first, infallible: transform)
    ) {
      [self] down in
      let stage = FirstStage(down)
      attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) { value in
          stage.receive(infallible: { transform(value) })
        }
      )
    }
  }
}

extension Signal where Failure == Never {
  /// Turns a value into a signal that may fail, and leaves out values that arrive while that signal
  /// runs; see ``flatMapFirst(_:file:line:column:)``.
  @inlinable @_disfavoredOverload
  public func flatMapFirst<Inner: Sendable, InnerFailure: Error>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, InnerFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, InnerFailure> {
    Signal<Inner, InnerFailure>(
      Site("flatMapFirst", file, line, column, [.merging, .drops]),
      .one(self),
      argument: levels(.first, promoting: transform)
    ) {
      [self] down in
      let stage = FirstStage(down)
      attach(
        Sink(stage.merging.infalliblePart(), down.trace, stage.merging.outlet) { value in
          stage.receive { transform(value) }
        }
      )
    }
  }
}

/// Runs one inner signal at a time, and leaves out values that arrive while a signal runs.
@usableFromInline
final class FirstStage<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let merging: Merging<Value, Failure>
  @usableFromInline let isBusy = Atomic<Bool>(false)

  @inlinable
  init(_ down: Sink<Value, Failure>) { merging = Merging(down) }

  @inlinable
  func receive(_ make: () -> Signal<Value, Failure>) {
    // The acquiring exchange pairs with the releasing store at the end of the previous inner
    // signal.
    if isBusy.exchange(true, ordering: .acquiring) { return }
    let inner = make()
    merging.run(inner, in: part())
  }

  @inlinable
  func receive(infallible make: () -> Signal<Value, Never>) {
    if isBusy.exchange(true, ordering: .acquiring) { return }
    let inner = make()
    merging.run(infallible: inner, in: part())
  }

  @inlinable
  func part() -> UpstreamScope<Failure> {
    merging.join()
    return UpstreamScope<Failure>(in: merging.scope) { [self] end in
      isBusy.store(false, ordering: .releasing)
      merging.ended(end)
    }
  }
}
