extension Signal {
  /// Splits the values into signals, one for each key.
  ///
  /// ```
  /// source         -1-2-3-4-|
  /// groupBy        -a-b-----|   a: odd, b: even
  /// a              -1---3---|
  /// b              ---2---4-|
  /// ```
  ///
  /// A group is sent before its first value, and is hot: a subscriber that subscribes while the
  /// group is being handled gets all values of the group. Until a group has had a subscriber, its
  /// values are kept for the first one, because subscribing has to wait while events are being
  /// delivered downstream. If a group is released without ever having had a subscriber, nothing is
  /// kept, and further values with its key are dropped.
  ///
  /// When the source ends, the signal of groups ends first, and then the groups end in the order in
  /// which they were made. The subscription to the source lasts for as long as the signal of groups
  /// or a group has subscribers: after `take(1)`, for example, the one group continues. When no
  /// subscriber is left, the source is disposed of, and the groups end without an event (event
  /// contract, rule 11).
  ///
  /// - Parameters:
  ///   - key: Runs once per value and subscription.
  /// - Returns: A signal of groups, which ends exactly when this one does, and in the same way.
  ///   Each group is a signal with a ``GroupedSignal/key``.
  /// - Complexity: Retains every key, and the values that are kept for the first subscriber of each
  ///   group.
  @inlinable
  public func groupBy<Key: Hashable & Sendable>(
    _ key: @escaping @Sendable (Value) -> Key,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<GroupedSignal<Key, Value, Failure>, Failure> {
    let site = Site("groupBy", file, line, column)
    return Signal<GroupedSignal<Key, Value, Failure>, Failure>(site, .one(self)) { [self] in
      attachGrouping(to: $0, by: key, site) { $0 }
    }
  }

  /// Applies a function to each value, and splits the results into signals, one for each key of the
  /// values.
  ///
  /// See ``groupBy(_:file:line:column:)``.
  ///
  /// ```
  /// source         -1-2-3-4-|
  /// groupBy        -a-b-----|   a: odd, b: even; all times ten
  /// a              -x---y---|   x: 10, y: 30
  /// b              ---x---y-|   x: 20, y: 40
  /// ```
  ///
  /// - Parameters:
  ///   - key: Runs once per value and subscription.
  ///   - transform: Runs once per value and subscription, after `key`, even for groups without a
  ///     subscriber.
  /// - Returns: A signal of groups, which ends exactly when this one does, and in the same way.
  /// - Complexity: Retains every key, and the values that are kept for the first subscriber of each
  ///   group.
  @inlinable
  public func groupBy<Key: Hashable & Sendable, Element: Sendable>(
    _ key: @escaping @Sendable (Value) -> Key,
    transform: @escaping @Sendable (Value) -> Element,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<GroupedSignal<Key, Element, Failure>, Failure> {
    let site = Site("groupBy", file, line, column)
    return Signal<GroupedSignal<Key, Element, Failure>, Failure>(site, .one(self)) { [self] in
      attachGrouping(to: $0, by: key, site, transform)
    }
  }

  @inlinable
  func attachGrouping<Key: Hashable & Sendable, Element: Sendable>(
    to down: Sink<GroupedSignal<Key, Element, Failure>, Failure>,
    by key: @escaping @Sendable (Value) -> Key,
    _ site: Site,
    _ transform: @escaping @Sendable (Value) -> Element
  ) {
    let outlet = Outlet(down)
    down.scope.own(outlet)
    let source = BranchSource<Element, Failure>(for: down.scope)
    let groups = StageState<[Key: Branch<Element, Failure>]>([:])
    attach(
      Sink(source.scope, down.trace, outlet) { value in
        let key = key(value)
        if let known = groups.value[key] { return known.send(transform(value)) }
        // When the signal of groups has ended, the existing groups continue, but no new group is
        // made.
        guard outlet.scope.isActive else { return }
        let (branch, group) = source.open(isOnly: false) {
          GroupedSignal<Key, Element, Failure>(key: key, site, start: $0)
        }
        groups.value[key] = branch
        outlet.send(group)
        branch.send(transform(value))
      }
    )
  }
}
