import TraceFormat

extension Signal {
  /// Starts this signal and delivers its events to closures, together with an object that the
  /// subscription does not keep alive.
  ///
  /// ```swift
  /// prices.subscribe(with: self) { owner, price in owner.show(price) }
  /// ```
  ///
  /// This method replaces `[weak self]` in each closure. If the object is ``LifetimeProviding``,
  /// the subscription ends without an event when the object is released. Otherwise the subscription
  /// ends at the first value after the object was released; until then the subscription lasts. If
  /// the release of such an object must end the subscription at once, let the object keep the
  /// disposable in a ``DisposableBag``.
  ///
  /// - Parameters:
  ///   - owner: The object that is passed to the closures. Once it is released, no events are
  ///     delivered.
  ///   - next: Called with the object and each value, one at a time.
  ///   - failed: Called at most once, last. Without it a failure goes to ``UnhandledFailure``.
  ///   - completed: Called at most once, last.
  /// - Returns: A disposable that ends the subscription. Dropping it does not end the subscription
  ///   (event contract, rule 7).
  @discardableResult
  public func subscribe<Owner: AnyObject & Sendable>(
    with owner: Owner,
    next: @escaping @Sendable (Owner, Value) -> Void,
    failed: (@Sendable (Owner, Failure) -> Void)? = nil,
    completed: (@Sendable (Owner) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    let site = Site(
      "subscribe",
      file,
      line,
      column,
      Self.rootTraits(failed != nil, completed != nil)
    )
    let lifetime = Lifetime.ofOwner(owner)
    let owner = WeakReference(owner)
    let fail = failed.map { failed -> @Sendable (Failure) -> Void in
      { error in if let object = owner.object { failed(object, error) } }
    }
    let complete = completed.map { completed -> @Sendable () -> Void in
      { if let object = owner.object { completed(object) } }
    }
    let whole = root(fail, complete, site)
    let subscription = begin(
      whole,
      site,
      { value in
        guard let object = owner.object else { return whole.cancel(Ending(.ownerGone)) }
        next(object, value)
      }
    )
    lifetime?.add(subscription)
    return subscription
  }
}

/// A weak reference to an object.
///
/// `@unchecked Sendable`: `object` is set once, and reading a weak reference is safe on any thread.
@usableFromInline
final class WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
  @usableFromInline private(set) weak var object: Object?

  @usableFromInline
  init(_ object: Object) { self.object = object }
}
