// Names that users of other libraries type, so that the compiler answers with the name used here.
// Only names that have no other meaning here, and calls that the compiler would not explain itself:
// it suggests `next:` for `onNext:` without help.
//
// Unavailable declarations cost the type checker nothing: it considers them only if nothing else
// fits. They are left out of the documentation.

extension Signal {
  /// Combine: see ``subscribe(next:failed:completed:file:line:column:)``.
  @available(*, unavailable, renamed: "subscribe(next:)")
  @discardableResult
  public func sink(
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> any Disposable { ActionDisposable {} }

  /// Combine: see ``subscribe(next:failed:completed:file:line:column:)``.
  @available(*, unavailable, message: "use subscribe(next:failed:completed:)")
  @discardableResult
  public func sink<End>(
    receiveCompletion: @escaping @Sendable (End) -> Void,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> any Disposable { ActionDisposable {} }

  /// ReactiveCocoa: see ``subscribe(next:failed:completed:file:line:column:)``.
  @available(*, unavailable, renamed: "subscribe(next:)")
  @discardableResult
  public func subscribeNext(
    _ next: @escaping @Sendable (Value) -> Void
  ) -> any Disposable { ActionDisposable {} }

  /// ReactiveSwift: see ``subscribe(next:failed:completed:file:line:column:)``.
  @available(*, unavailable, renamed: "subscribe(next:)")
  @discardableResult
  public func startWithValues(
    _ next: @escaping @Sendable (Value) -> Void
  ) -> any Disposable { ActionDisposable {} }

  /// ReactiveSwift: see ``subscribe(next:failed:completed:file:line:column:)``.
  @available(*, unavailable, renamed: "subscribe(next:)")
  @discardableResult
  public func observeValues(
    _ next: @escaping @Sendable (Value) -> Void
  ) -> any Disposable { ActionDisposable {} }

  /// RxCocoa: see ``subscribeOnMainActor(next:failed:completed:file:line:column:)``.
  @available(*, unavailable, renamed: "subscribeOnMainActor(next:)")
  @discardableResult
  public func drive(
    onNext: @escaping @Sendable (Value) -> Void
  ) -> any Disposable { ActionDisposable {} }

  /// RxSwift: see ``subscribe(next:failed:completed:file:line:column:)``.
  @available(*, unavailable, renamed: "subscribe(next:failed:completed:)")
  @discardableResult
  public func subscribe(
    onNext: @escaping @Sendable (Value) -> Void,
    onError: (@Sendable (Failure) -> Void)? = nil,
    onCompleted: (@Sendable () -> Void)? = nil,
    onDisposed: (@Sendable () -> Void)? = nil
  ) -> any Disposable { ActionDisposable {} }

  /// Combine: see ``bind(to:on:file:line:column:)``.
  @available(*, unavailable, renamed: "bind(to:on:)")
  @discardableResult
  public func assign<Target>(
    to keyPath: ReferenceWritableKeyPath<Target, Value>,
    on target: Target
  ) -> any Disposable { ActionDisposable {} }

  /// Combine: see ``bind(to:file:line:column:)``.
  @available(
    *,
    unavailable,
    message: "use bind(to:) with a MutableProperty, or bind(to:on:) with a key path and an object"
  )
  @discardableResult
  public func assign<Target>(to target: Target) -> any Disposable { ActionDisposable {} }
}

extension Signal {
  /// Combine: see ``deliver(on:file:line:column:)``.
  @available(*, unavailable, renamed: "deliver(on:)")
  public func receive(on scheduler: any Scheduler) -> Signal { self }

  /// RxSwift: see ``deliver(on:file:line:column:)``.
  @available(*, unavailable, renamed: "deliver(on:)")
  public func observe(on scheduler: any Scheduler) -> Signal { self }

  /// RxSwift: see ``deliver(on:file:line:column:)``.
  @available(*, unavailable, renamed: "deliver(on:)")
  public func observeOn(_ scheduler: any Scheduler) -> Signal { self }

  /// RxSwift: signals need no conversion.
  @available(
    *,
    unavailable,
    message: "a signal has one type whatever it is made of: leave the call out"
  )
  public func asObservable() -> Signal { self }

  /// Combine: signals need no type erasure.
  @available(
    *,
    unavailable,
    message: "a signal has one type whatever it is made of: leave the call out"
  )
  public func eraseToAnyPublisher() -> Signal { self }

  /// Combine: see ``debounce(_:on:file:line:column:)``.
  @available(*, unavailable, renamed: "debounce(_:on:)")
  public func debounce(for interval: Duration, scheduler: any Scheduler) -> Signal { self }

  /// Combine: see ``throttle(_:on:latest:file:line:column:)``.
  @available(*, unavailable, renamed: "throttle(_:on:latest:)")
  public func throttle(
    for interval: Duration,
    scheduler: any Scheduler,
    latest: Bool = true
  ) -> Signal { self }

  /// Combine: see ``delay(_:on:file:line:column:)``.
  @available(*, unavailable, renamed: "delay(_:on:)")
  public func delay(for interval: Duration, scheduler: any Scheduler) -> Signal { self }
}

extension Signal {
  /// ReactiveSwift: see `distinctUntilChanged()`.
  @available(*, unavailable, renamed: "distinctUntilChanged()")
  public func skipRepeats() -> Signal { self }

  /// ReactiveSwift: see `distinctUntilChanged(by:)`.
  @available(*, unavailable, renamed: "distinctUntilChanged(by:)")
  public func skipRepeats(
    _ areEquivalent: @escaping @Sendable (Value, Value) -> Bool
  ) -> Signal { self }

  /// Combine: see `distinctUntilChanged()`.
  @available(*, unavailable, renamed: "distinctUntilChanged()")
  public func removeDuplicates() -> Signal { self }

  /// Combine: see `distinctUntilChanged(by:)`.
  @available(*, unavailable, renamed: "distinctUntilChanged(by:)")
  public func removeDuplicates(
    by areEquivalent: @escaping @Sendable (Value, Value) -> Bool
  ) -> Signal { self }

  /// Combine: see ``take(_:file:line:column:)``.
  @available(*, unavailable, renamed: "take(_:)")
  public func prefix(_ count: Int) -> Signal { self }

  /// Combine: see ``take(while:inclusive:file:line:column:)``.
  @available(*, unavailable, renamed: "take(while:)")
  public func prefix(while isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal { self }

  /// Combine: see ``skip(_:file:line:column:)``.
  @available(*, unavailable, renamed: "skip(_:)")
  public func dropFirst(_ count: Int = 1) -> Signal { self }

  /// Combine: see ``skip(while:file:line:column:)``.
  @available(*, unavailable, renamed: "skip(while:)")
  public func drop(while isSkipped: @escaping @Sendable (Value) -> Bool) -> Signal { self }

  /// RxSwift: see `take(until:)`.
  @available(*, unavailable, renamed: "take(until:)")
  public func takeUntil<Trigger, TriggerFailure>(
    _ trigger: Signal<Trigger, TriggerFailure>
  ) -> Signal { self }

  /// RxSwift: see ``take(while:inclusive:file:line:column:)``.
  @available(*, unavailable, renamed: "take(while:)")
  public func takeWhile(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal { self }

  /// RxSwift: see `skip(until:)`.
  @available(*, unavailable, renamed: "skip(until:)")
  public func skipUntil<Trigger, TriggerFailure>(
    _ trigger: Signal<Trigger, TriggerFailure>
  ) -> Signal { self }

  /// RxSwift: see ``skip(while:file:line:column:)``.
  @available(*, unavailable, renamed: "skip(while:)")
  public func skipWhile(_ isSkipped: @escaping @Sendable (Value) -> Bool) -> Signal { self }

  /// RxSwift: see ``ignoreValues(file:line:column:)``.
  @available(*, unavailable, renamed: "ignoreValues()")
  public func ignoreElements() -> Signal<Never, Failure> { .never() }

  /// Combine: see ``ignoreValues(file:line:column:)``.
  @available(*, unavailable, renamed: "ignoreValues()")
  public func ignoreOutput() -> Signal<Never, Failure> { .never() }

  /// Combine: see ``defaultIfEmpty(_:file:line:column:)``.
  @available(*, unavailable, renamed: "defaultIfEmpty(_:)")
  public func replaceEmpty(with value: Value) -> Signal { self }

  /// RxSwift: see ``defaultIfEmpty(_:file:line:column:)``.
  @available(*, unavailable, renamed: "defaultIfEmpty(_:)")
  public func ifEmpty(default value: Value) -> Signal { self }
}

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

  /// Not a signal but, for example, a sequence: see `flatten()`.
  @available(
    *,
    unavailable,
    message: "the closure has to return a signal; of sequences, use map(_:) and then flatten()"
  )
  public func flatMap<Other>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> Signal<Other, Failure> { .never() }

  /// The signals fail in different ways: see ``mapFailure(_:file:line:column:)``.
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

  /// RxSwift: see ``combinePrevious(file:line:column:)``.
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

extension Signal {
  /// RxSwift: see `from(_:)`.
  @available(*, unavailable, message: "use from([…])")
  public static func of(_ values: Value...) -> Signal { .never() }

  /// RxSwift: see `failed(_:)`.
  @available(*, unavailable, renamed: "failed(_:)")
  public static func error(_ error: Failure) -> Signal { .never() }
}

extension Signal where Value == String, Failure == SystemFailure {
  /// For files, see `String.lines(of:)` of module ReactiveFoundation.
  @available(
    *,
    unavailable,
    message:
      "a signal has the lines of a descriptor; those of a file are String.lines(of: url), of the module ReactiveFoundation"
  )
  public static func lines<Path>(of path: Path) -> Signal<String, SystemFailure> { .never() }
}

extension Signal where Value == [UInt8], Failure == SystemFailure {
  /// For files, see `Data.pieces(of:)` of module ReactiveFoundation.
  @available(
    *,
    unavailable,
    message:
      "a signal has the bytes of a descriptor; those of a file are Data.pieces(of: url), of the module ReactiveFoundation"
  )
  public static func bytes<Path>(of path: Path) -> Signal<[UInt8], SystemFailure> { .never() }
}

extension Disposable {
  /// RxSwift: see ``store(in:)``.
  @available(*, unavailable, renamed: "store(in:)")
  public func disposed(by bag: DisposableBag) {}
}

extension Observer {
  /// RxSwift: see `send(_:)`.
  @available(*, unavailable, renamed: "send(_:)")
  public func onNext(_ value: Value) {}

  /// RxSwift: see `fail(_:)`.
  @available(*, unavailable, renamed: "fail(_:)")
  public func onError(_ error: Failure) {}

  /// RxSwift: see `complete()`.
  @available(*, unavailable, renamed: "complete()")
  public func onCompleted() {}
}

extension EventReceiver {
  /// RxSwift: see `send(_:)`.
  @available(*, unavailable, renamed: "send(_:)")
  public func onNext(_ value: Value) {}

  /// ReactiveSwift: see `send(_:)`.
  @available(*, unavailable, renamed: "send(_:)")
  public func send(value: Value) {}

  /// RxSwift: see `fail(_:)`.
  @available(*, unavailable, renamed: "fail(_:)")
  public func onError(_ error: Failure) {}

  /// RxSwift: see `complete()`.
  @available(*, unavailable, renamed: "complete()")
  public func onCompleted() {}
}

extension EventHub {
  /// RxSwift: see `signal`.
  @available(*, unavailable, message: "use the subject's signal")
  public func asObservable() -> Signal<Value, Failure> { signal }

  /// Combine: see `signal`.
  @available(*, unavailable, message: "use the subject's signal")
  public func eraseToAnyPublisher() -> Signal<Value, Failure> { signal }
}

/// ReactiveSwift's binding: see `bind(to:)`.
infix operator <~ : AssignmentPrecedence

/// ReactiveSwift's binding: see `bind(to:)`.
@available(*, unavailable, message: "use signal.bind(to: property)")
public func <~ <Value>(property: MutableProperty<Value>, signal: Signal<Value, Never>) {}

extension ReadableProperty {
  /// ReactiveSwift: see `distinctUntilChanged()`.
  @available(*, unavailable, renamed: "distinctUntilChanged()")
  public func skipRepeats() -> Property<Value> { readOnly }

  /// ReactiveSwift: see `distinctUntilChanged(by:)`.
  @available(*, unavailable, renamed: "distinctUntilChanged(by:)")
  public func skipRepeats(
    _ areEquivalent: @escaping @Sendable (Value, Value) -> Bool
  ) -> Property<Value> { readOnly }
}
