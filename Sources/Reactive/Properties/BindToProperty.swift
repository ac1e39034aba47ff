import TraceFormat

extension Signal where Failure == Never {
  /// Sets a property to each value.
  ///
  /// ```swift
  /// combineLatest($password, $again).map(==).bind(to: canCreate)
  /// ```
  ///
  /// The property is not kept alive: the binding ends when the property is released, or when this
  /// signal ends. The property then keeps its last value; the end of the signal does not complete
  /// the property. While the binding lasts, a second binding of the same property is a mistake; see
  /// ``BindingConflict``. Setting the property directly is allowed.
  ///
  /// - Parameters:
  ///   - property: The property.
  /// - Returns: A disposable that ends the binding. Dropping it does not end the binding (event
  ///   contract, rule 7).
  @discardableResult
  public func bind(
    to property: MutableProperty<Value>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    let site = Site("bind(to:)", file, line, column, .root)
    let whole = UpstreamScope<Failure>(onEnd: { _ in })
    let keyPath = \MutableProperty<Value>.value
    let isFree = LiveBindings.claim(
      keyPath,
      of: property,
      for: whole,
      site,
      name: "\(property.signal)"
    )
    guard isFree else { return whole }
    let storage = property.storage
    let watch = UpstreamScope<Never> { [weak whole] _ in whole?.cancel(Ending(.ownerGone)) }
    whole.own(watch)
    storage.current.hub.add(in: watch) { _ in }
    return begin(
      whole,
      site,
      { if storage.set($0) == nil { whole.cancel(Ending(.ownerGone)) } }
    )
  }
}
