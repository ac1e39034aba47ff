import ReactiveTrace

/// The time for which an object lives: what has to end with it is added, or taken ``Signal/take(during:file:line:column:)`` it.
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
/// It ends when the ``Token`` is released: the object holds that and nobody else, so that both go together. To end it by
/// hand, dispose of the token.
/// The lifetime itself may be held and handed on; it does not keep the object alive. Traces have it as an
/// owner, with the subscriptions that it ends.
public final class Lifetime: Sendable {
  /// What an object stores to have a lifetime; its release ends it, or its disposal, where that comes first.
  public final class Token: Disposable {
    /// The lifetime that ends when this is released.
    public let lifetime: Lifetime

    /// Begins a lifetime.
    ///
    /// - Parameters:
    ///   - file: The file of the call; recorded in traces, with line and column, as the place of the owner.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public init(file: StaticString = #fileID, line: UInt = #line, column: UInt = #column) {
      lifetime = Lifetime(Site("Lifetime", file, line, column, [.hot, .endless]))
    }

    /// Whether the lifetime has ended.
    public var isDisposed: Bool { lifetime.hasEnded }

    /// Ends the lifetime now, by hand: for an object that is done before it is released.
    ///
    /// Later calls, and the release, change nothing.
    public func dispose() { lifetime.end() }

    deinit { lifetime.end() }
  }

  /// Sends nothing, and completes when the lifetime ends; at once, if it has.
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

  /// Whether it has ended.
  ///
  /// True from before the first of what was added is disposed of.
  public var hasEnded: Bool { members.isDisposed }

  /// Disposes of something when the lifetime ends; at once, if it has.
  ///
  /// In the order in which it was added; what has ended by itself is not kept, nor nil. O(1), amortised.
  public func add(_ disposable: (any Disposable)?) {
    guard let disposable else { return }
    if Tracer.isOn, !hasEnded { owner.bind(disposable, of: self) }
    members.add(disposable)
  }

  /// Disposes of something when the lifetime ends, if there is something; see ``add(_:)``.
  ///
  /// ```swift
  /// lifetime += ticks.subscribe { print($0) }
  /// ```
  public static func += (lifetime: Lifetime, disposable: (any Disposable)?) {
    lifetime.add(disposable)
  }

  /// Runs a closure when the lifetime ends; at once, if it has.
  ///
  /// - Parameter action: Must not refer to the object, which is about to go.
  /// - Returns: Forgets the closure when it is disposed of, without running it.
  @discardableResult
  public func onEnd(_ action: @escaping @Sendable () -> Void) -> any Disposable {
    let action = members.add(action)
    return ActionDisposable { [weak members] in members?.remove(action) }
  }

  /// Notes in the trace that a stage of a subscription ends with this.
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
/// What is subscribed with it or bound to it ends as soon as it is released, and not only at the next
/// value: see ``Signal/subscribe(with:next:failed:completed:file:line:column:)`` and
/// ``Signal/bind(to:on:file:line:column:)``.
public protocol LifetimeProviding: AnyObject {
  /// Ends with the object: that of a ``Lifetime/Token`` that the object stores.
  var lifetime: Lifetime { get }
}
