import TraceFormat

extension Signal where Failure == Never {
  /// Sets a property of an object to each value.
  ///
  /// ```swift
  /// scores.bind(to: \.total, on: board)
  /// ```
  ///
  /// The binding does not keep the object alive. The binding ends when this signal ends or when the
  /// object is released. The release takes effect at once if the object is ``LifetimeProviding``,
  /// otherwise at the next value. Until the binding ends, a second binding of the same property is
  /// refused; see ``BindingConflict``. After the end, the property keeps its last value. The
  /// property is set on whatever thread sends the value, so the object must be `Sendable`. For an
  /// object of the main actor, use ``bind(to:onMainActor:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - target: The object.
  /// - Returns: A disposable that ends the binding. Dropping the disposable does not end the
  ///   binding (event contract, rule 7).
  @discardableResult
  public func bind<Target: AnyObject & Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Target, Value> & Sendable,
    on target: Target,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    let site = Site("bind(to:)", file, line, column, .root)
    let whole = UpstreamScope<Failure>(onEnd: { _ in })
    guard LiveBindings.claim(keyPath, of: target, for: whole, site) else { return whole }
    let reference = WeakReference(target)
    let binding = begin(
      whole,
      site,
      { value in
        guard let object = reference.object else { return whole.cancel(Ending(.ownerGone)) }
        object[keyPath: keyPath] = value
      }
    )
    Lifetime.ofOwner(target)?.add(binding)
    return binding
  }

  /// Sets a property of an object of the main actor to each value, on the main actor.
  ///
  /// Works like ``bind(to:on:file:line:column:)``, but values are delivered as
  /// ``subscribeOnMainActor(next:failed:completed:file:line:column:)`` delivers them: at once if
  /// they are sent on the main queue while no work of ``UIScheduler`` runs or waits, otherwise in
  /// turn, as work of that scheduler.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - target: The object.
  /// - Returns: A disposable that ends the binding. Dropping the disposable does not end the
  ///   binding (event contract, rule 7).
  @MainActor @discardableResult
  public func bind<Target: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Target, Value>,
    onMainActor target: Target,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    let site = Site("bind(to:)", file, line, column, .root)
    let whole = UpstreamScope<Failure>(onEnd: { _ in })
    guard LiveBindings.claim(keyPath, of: target, for: whole, site) else { return whole }
    let property = MainActorBinding(target, keyPath)
    let binding = begin(
      whole,
      site,
      { value in
        let isSet = MainActor.assumeIsolated { property.set(value) }
        if !isSet { whole.cancel(Ending(.ownerGone)) }
      },
      on: UIScheduler.shared
    )
    Lifetime.ofOwner(target)?.add(binding)
    return binding
  }
}

/// A property of an object of the main actor.
///
/// Neither the object nor the key path has to be `Sendable`, because both stay on the main actor.
@MainActor
private final class MainActorBinding<Target: AnyObject, Value> {
  private weak var target: Target?
  private let keyPath: ReferenceWritableKeyPath<Target, Value>

  init(_ target: Target, _ keyPath: ReferenceWritableKeyPath<Target, Value>) {
    self.target = target
    self.keyPath = keyPath
  }

  /// Returns false if the object has been released.
  func set(_ value: Value) -> Bool {
    target?[keyPath: keyPath] = value
    return target != nil
  }
}
