import Synchronization

/// One subscription to a source, whose events a hub forwards to all subscribers; used by
/// connections, `share` and `replayLazily`.
///
/// However many threads call ``connect(to:)``, only one of them subscribes, and no thread waits for
/// another. From then on, the source retains the hub and `scope`, which is the object that ends the
/// subscription.
final class SharedRun<Value: Sendable, Failure: Error>: Sendable {
  let hub: Hub<Value, Failure>
  let scope: Scope<Failure>
  private let site: Site
  private let hasBegun = Atomic<Bool>(false)
  /// The number of subscribers to all signals that ``Connection/autoconnect(file:line:column:)``
  /// has returned for one connection.
  let members = Atomic<Int>(0)

  /// - Parameters:
  ///   - hub: Receives the events.
  ///   - site: The site of the sharing operator.
  ///   - onEnd: Called when the source has ended by itself, with or without an event; the closure
  ///     has to notify the hub.
  init(
    _ hub: Hub<Value, Failure>,
    _ site: Site,
    onEnd: @escaping @Sendable (End<Failure>) -> Void
  ) {
    self.hub = hub
    self.site = site
    scope = UpstreamScope(onEnd: onEnd)
  }

  var isConnected: Bool { hasBegun.load(ordering: .acquiring) }

  /// Adds a subscriber, and sends it the values that the hub has kept, if any.
  func add(_ down: Sink<Value, Failure>) {
    if hub.capacity > 0 { hub.addReplaying(down) } else { hub.add(down) }
  }

  /// Subscribes to `source` at the first call; later calls do nothing.
  ///
  /// The signal is a parameter because a subscription, which may retain this object, must not
  /// retain a signal.
  func connect(to source: Signal<Value, Failure>) {
    if hasBegun.exchange(true, ordering: .acquiringAndReleasing) { return }
    guard scope.isActive else { return }
    source.attach(
      scope.sink(site, of: hub.id) { [hub, scope] in if scope.isActive { hub.send($0) } }
    )
  }
}
