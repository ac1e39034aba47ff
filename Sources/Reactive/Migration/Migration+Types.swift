// Names that users of other libraries type for sources, and for types other than signals: the
// compiler answers with the name used here (see `Migration.swift`).

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
      "lines(of:) takes a descriptor; for a file, use String.lines(of: url) of ReactiveFoundation"
  )
  public static func lines<Path>(of path: Path) -> Signal<String, SystemFailure> { .never() }
}

extension Signal where Value == [UInt8], Failure == SystemFailure {
  /// For files, see `Data.pieces(of:)` of module ReactiveFoundation.
  @available(
    *,
    unavailable,
    message:
      "bytes(of:) takes a descriptor; for a file, use Data.pieces(of: url) of ReactiveFoundation"
  )
  public static func bytes<Path>(of path: Path) -> Signal<[UInt8], SystemFailure> { .never() }
}

extension Disposable {
  /// RxSwift: see ``store(in:)``.
  @available(*, unavailable, renamed: "store(in:)")
  public func disposed(by bag: DisposableBag) {}
}

extension DisposableBag {
  /// Rx: see ``empty()``.
  @available(
    *,
    unavailable,
    message: "use empty(); a bag can be used again, while a CompositeDisposable ends with dispose()"
  )
  public func dispose() {}
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
