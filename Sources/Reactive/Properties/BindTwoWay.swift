import TraceFormat

extension MutableProperty {
  /// Keeps this property and another one equal, whichever of the two is set.
  ///
  /// ```swift
  /// field.text.bindTwoWay(to: model.name)    // the field takes the name of the model first
  /// ```
  ///
  /// Each set is forwarded to the other property once and does not come back. Links may form
  /// chains, trees and rings: a set reaches every linked property, each once. If two linked
  /// properties are set at the same time from two threads, the later set wins in both, so that they
  /// end up equal.
  ///
  /// The link keeps neither property alive, and ends when one of them is released.
  ///
  /// - Parameters:
  ///   - other: The other property; this property is set to its value first.
  /// - Returns: A disposable that ends the link. Dropping it does not end the link (event contract,
  ///   rule 7).
  @discardableResult
  public func bindTwoWay(
    to other: MutableProperty<Value>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    link(to: other, { $0 }, { $0 }, Site("bindTwoWay(to:)", file, line, column, .root))
  }

  /// Keeps this property and a property of another type at corresponding values, whichever of the
  /// two is set.
  ///
  /// Works like ``bindTwoWay(to:file:line:column:)``. The functions need not be inverse to each
  /// other: a property keeps the value that it was set to, because a set is not forwarded back to
  /// the property that was set.
  ///
  /// - Parameters:
  ///   - other: The other property; this property is set to its decoded value first.
  ///   - decode: Makes a value of this property from a value of the other.
  ///   - encode: Makes a value of the other property from a value of this property.
  /// - Returns: A disposable that ends the link. Dropping it does not end the link (event contract,
  ///   rule 7).
  @discardableResult
  public func bindTwoWay<Other: Sendable>(
    to other: MutableProperty<Other>,
    from decode: @escaping @Sendable (Other) -> Value,
    to encode: @escaping @Sendable (Value) -> Other,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    link(to: other, decode, encode, Site("bindTwoWay(to:)", file, line, column, .root))
  }

  private func link<Other: Sendable>(
    to other: MutableProperty<Other>,
    _ decode: @escaping @Sendable (Other) -> Value,
    _ encode: @escaping @Sendable (Value) -> Other,
    _ site: Site
  ) -> any Disposable {
    let whole = UpstreamScope<Never>(onEnd: { _ in })
    let closure = whole.begin(site, of: other.signal.node.id)
    // Both values get the same stamp, the number that orders sets, so that the link forwards
    // neither of them again.
    let first = other.storage.restamped()
    _ = storage.accept(decode(first.value), first.stamp)
    forward(other.storage, other.signal, to: storage, decode, whole, closure)
    if whole.isActive { forward(storage, signal, to: other.storage, encode, whole, closure) }
    return closure.map { TracedDisposable(whole, $0.id) } ?? whole
  }
}

/// Forwards sets in one direction of a link.
private func forward<Source: Sendable, Target: Sendable>(
  _ source: PropertyStorage<Source>,
  _ signal: Signal<Source, Never>,
  to target: PropertyStorage<Target>,
  _ convert: @escaping @Sendable (Source) -> Target,
  _ whole: UpstreamScope<Never>,
  _ closure: ClosureTrace?
) {
  let scope = UpstreamScope<Never>(in: whole) { _ in whole.dispose() }
  let next = closure.recording(in: whole) { (stamped: Stamped<Source>) in
    guard whole.isActive, target.current.value.stamp < stamped.stamp else { return }
    if !target.accept(convert(stamped.value), stamped.stamp) { whole.dispose() }
  }
  source.feed(scope, of: signal, to: closure?.subscription, next)
}
