// This file declares names that users of other libraries type, so that the compiler answers with
// the name used here. Each doc comment says which library has the name, and what to use instead.
// Names that have another meaning here are left out, and so are calls that the compiler explains by
// itself, as when it suggests `do(next:)` for `do(onNext:)`.
//
// Unavailable declarations cost the type checker nothing: it considers them only if nothing else
// fits. The documentation does not list them.

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
