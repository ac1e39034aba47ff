// Names that users of other libraries type for operators that combine signals, for effects and for
// failures: the compiler answers with the name used here (see `Migration.swift`).

extension Signal {
  /// RxJS: see `flatMapLatest`.
  @available(*, unavailable, renamed: "flatMapLatest(_:)")
  public func switchMap<Inner: Sendable, InnerFailure>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, InnerFailure>
  ) -> Signal<Inner, Failure> { .never() }

  /// RxJS: see `flatMap`.
  @available(*, unavailable, renamed: "flatMap(_:)")
  public func mergeMap<Inner: Sendable, InnerFailure>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, InnerFailure>
  ) -> Signal<Inner, Failure> { .never() }

  /// RxJS: see `flatMapFirst`.
  @available(*, unavailable, renamed: "flatMapFirst(_:)")
  public func exhaustMap<Inner: Sendable, InnerFailure>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, InnerFailure>
  ) -> Signal<Inner, Failure> { .never() }

  /// ReactiveCocoa: see `flatMap`.
  @available(*, unavailable, renamed: "flatMap(_:)")
  public func flattenMap<Inner: Sendable, InnerFailure>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, InnerFailure>
  ) -> Signal<Inner, Failure> { .never() }

  /// For a closure that returns something other than a signal, such as a sequence: see `flatten()`.
  @available(
    *,
    unavailable,
    message: "the closure must return a signal; for sequences, use map(_:), then flatten()"
  )
  public func flatMap<Other>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> Signal<Other, Failure> { .never() }

  /// For signals with different failure types: see ``mapFailure(_:file:line:column:)``.
  @available(
    *,
    unavailable,
    message: "the signals fail in different ways: use mapFailure(_:) on one of them first"
  )
  public func flatMap<Inner: Sendable, InnerFailure>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, InnerFailure>
  ) -> Signal<Inner, Failure> { .never() }

  /// RxSwift: see ``switchToLatest(file:line:column:)``.
  @available(*, unavailable, renamed: "switchToLatest()")
  public func switchLatest<Inner: Sendable>() -> Signal<Inner, Failure>
  where Value == Signal<Inner, Failure> { .never() }

  /// RxSwift: see `withLatest(from:)`.
  @available(*, unavailable, renamed: "withLatest(from:)")
  public func withLatestFrom<Other: Sendable, OtherFailure>(
    _ other: Signal<Other, OtherFailure>
  ) -> Signal<(Value, Other), Failure> { .never() }

  /// ReactiveSwift: see `withLatest(from:)`.
  @available(*, unavailable, renamed: "withLatest(from:)")
  public func withLatest<Other: Sendable, OtherFailure>(
    _ other: Signal<Other, OtherFailure>
  ) -> Signal<(Value, Other), Failure> { .never() }

  /// RxJS: see `combineLatest(with:)`.
  @available(*, unavailable, renamed: "combineLatest(with:)")
  public func combineLatestWith<Other: Sendable, OtherFailure>(
    _ other: Signal<Other, OtherFailure>
  ) -> Signal<(Value, Other), Failure> { .never() }

  /// RxJS: see `zip(with:)`.
  @available(*, unavailable, renamed: "zip(with:)")
  public func zipWith<Other: Sendable, OtherFailure>(
    _ other: Signal<Other, OtherFailure>
  ) -> Signal<(Value, Other), Failure> { .never() }

  /// Combine: see `merge(with:)`.
  @available(*, unavailable, renamed: "merge(with:)")
  public func merge(_ others: Signal...) -> Signal { self }

  /// RxJS: see `merge(with:)`.
  @available(*, unavailable, renamed: "merge(with:)")
  public func mergeWith(_ others: Signal...) -> Signal { self }

  /// RxJS: see ``combinePrevious(file:line:column:)``.
  @available(*, unavailable, renamed: "combinePrevious()")
  public func pairwise() -> Signal<(previous: Value, current: Value), Failure> { .never() }

  /// RxSwift: see ``collect(file:line:column:)``.
  @available(*, unavailable, renamed: "collect()")
  public func toArray() -> Signal<[Value], Failure> { .never() }
}

extension Signal {
  /// RxSwift: see ``doNext(_:file:line:column:)``.
  @available(*, unavailable, renamed: "doNext(_:)")
  public func doOnNext(_ action: @escaping @Sendable (Value) -> Void) -> Signal { self }

  /// RxJS: see ``doNext(_:file:line:column:)``.
  @available(*, unavailable, renamed: "doNext(_:)")
  public func tap(_ action: @escaping @Sendable (Value) -> Void) -> Signal { self }

  /// ReactiveSwift: see ``doNext(_:file:line:column:)``.
  @available(*, unavailable, renamed: "doNext(_:)")
  public func on(value: @escaping @Sendable (Value) -> Void) -> Signal { self }

  /// Combine: see ``doNext(_:file:line:column:)``.
  @available(*, unavailable, renamed: "doNext(_:)")
  public func handleEvents(receiveOutput: @escaping @Sendable (Value) -> Void) -> Signal { self }

  /// RxSwift: see ``logAll(to:file:line:column:)``.
  @available(*, unavailable, renamed: "logAll()")
  public func debug(_ identifier: String = "") -> Signal { self }

  /// ReactiveSwift: see ``logAll(to:file:line:column:)``.
  @available(*, unavailable, renamed: "logAll()")
  public func logEvents(identifier: String = "") -> Signal { self }

  /// Combine: see ``mapFailure(_:file:line:column:)``.
  @available(*, unavailable, renamed: "mapFailure(_:)")
  public func mapError<NewFailure>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Signal<Value, NewFailure> { .never() }

  /// ReactiveSwift: see `catch(_:)`.
  @available(*, unavailable, renamed: "catch(_:)")
  public func flatMapError<NewFailure>(
    _ handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> { .never() }

  /// RxSwift: see `catch(_:)`.
  @available(*, unavailable, renamed: "catch(_:)")
  public func catchError<NewFailure>(
    _ handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> { .never() }

  /// RxSwift: see ``replaceFailure(with:file:line:column:)``.
  @available(*, unavailable, renamed: "replaceFailure(with:)")
  public func catchAndReturn(_ value: Value) -> Signal<Value, Never> { .never() }

  /// RxSwift: see ``replaceFailure(with:file:line:column:)``.
  @available(*, unavailable, renamed: "replaceFailure(with:)")
  public func catchErrorJustReturn(_ value: Value) -> Signal<Value, Never> { .never() }

  /// Combine: see ``replaceFailure(with:file:line:column:)``.
  @available(*, unavailable, renamed: "replaceFailure(with:)")
  public func replaceError(with value: Value) -> Signal<Value, Never> { .never() }

  /// Combine: see ``promoteFailure(to:file:line:column:)``.
  @available(*, unavailable, renamed: "promoteFailure(to:)")
  public func setFailureType<NewFailure>(
    to type: NewFailure.Type
  ) -> Signal<Value, NewFailure> { .never() }

  /// ReactiveSwift: see ``promoteFailure(to:file:line:column:)``.
  @available(*, unavailable, renamed: "promoteFailure(to:)")
  public func promoteError<NewFailure>(
    _ type: NewFailure.Type = NewFailure.self
  ) -> Signal<Value, NewFailure> { .never() }
}
