import TraceFormat

/// The lifetime of an object: at its end, disposables that were added to it are disposed of, and
/// ``Signal/take(during:file:line:column:)`` completes a signal.
///
/// ```swift
/// final class Pane: LifetimeProviding, Sendable {
///   private let token = Lifetime.Token()
///   var lifetime: Lifetime { token.lifetime }
///   init(_ ticks: Signal<Int, Never>) {
///     ticks.take(during: lifetime).subscribe { print($0) }
///   }
/// }
/// ```
///
/// The lifetime ends when the ``Token`` is released: only the object holds the token, so that both
/// end together. To end it earlier, dispose of the token. The lifetime itself may be held and
/// passed around; it does not keep the object alive. Traces show it as an owner, with the
/// subscriptions that it ends.
public final class Lifetime: Sendable {
  /// Stored by an object that has a lifetime; the lifetime ends when the token is released, or
  /// earlier, when it is disposed of.
  public final class Token: Disposable {
    /// The lifetime that ends when this token is released.
    public let lifetime: Lifetime

    /// Begins a lifetime.
    public init(file: StaticString = #fileID, line: UInt = #line, column: UInt = #column) {
      lifetime = Lifetime(Site("Lifetime", file, line, column, [.hot, .endless]))
    }

    /// Whether the lifetime has ended.
    public var isDisposed: Bool { lifetime.hasEnded }

    /// Ends the lifetime now: for an object that has finished its work before it is released.
    ///
    /// Later calls, and the release, have no effect.
    public func dispose() { lifetime.end() }

    deinit { lifetime.end() }
  }

  /// Sends nothing, and completes when the lifetime ends, or at once if it has ended.
  public let ended: Signal<Never, Never>
  private let members = CompositeDisposable(owner: nil)
  private let hub: Hub<Never, Never>
  private let owner: OwnerTrace

  private init(_ site: Site) {
    let hub = Hub<Never, Never>()
    self.hub = hub
    owner = OwnerTrace(site)
    ended = Signal(site, argument: .none) { hub.add($0) }
    hub.id = ended.node.id
  }

  /// Whether the lifetime has ended.
  ///
  /// Becomes true before the first of the added disposables is disposed of.
  public var hasEnded: Bool { members.isDisposed }

  /// Disposes of a disposable when the lifetime ends; at once if it has ended.
  ///
  /// Disposables are disposed of in the order in which they were added; nil, and disposables that
  /// are already disposed of, are not kept. O(1), amortised.
  public func add(_ disposable: (any Disposable)?) {
    guard let disposable else { return }
    if !hasEnded { owner.bind(disposable, of: self) }
    members.add(disposable)
  }

  /// Adds a disposable, unless it is nil; see ``add(_:)``.
  ///
  /// ```swift
  /// lifetime += ticks.subscribe { print($0) }
  /// ```
  public static func += (lifetime: Lifetime, disposable: (any Disposable)?) {
    lifetime.add(disposable)
  }

  /// Runs a closure when the lifetime ends; at once if it has ended.
  ///
  /// - Parameter action: Must not refer to the object, which is about to be released.
  /// - Returns: A disposable that discards the closure without running it.
  @discardableResult
  public func onEnd(_ action: @escaping @Sendable () -> Void) -> any Disposable {
    let action = members.add(action)
    return ActionDisposable { [weak members] in members?.remove(action) }
  }

  /// Records in the trace that a stage of a subscription ends with this lifetime.
  func bind(_ trace: SubscriptionTrace?) {
    if let trace, !hasEnded { owner.bind(trace.id) }
  }

  private func end() {
    members.dispose(as: owner)
    hub.end(.completed)
    owner.end()
  }

  /// The lifetime of an object that has one.
  static func ofOwner(_ object: AnyObject) -> Lifetime? {
    (object as? any LifetimeProviding)?.lifetime
  }
}

/// An object with a ``Lifetime``.
///
/// Subscriptions with such an object and bindings to it end as soon as the object is released, and
/// not only at the next value: see
/// ``Signal/subscribe(with:next:failed:completed:file:line:column:)`` and
/// ``Signal/bind(to:on:file:line:column:)``.
public protocol LifetimeProviding: AnyObject {
  /// The lifetime of a ``Lifetime/Token`` that the object stores; it ends with the object.
  var lifetime: Lifetime { get }
}
