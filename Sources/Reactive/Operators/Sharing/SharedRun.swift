import Synchronization

/// One subscription to a source, whose events go to a hub: used by connections, `share` and
/// `replayLazily`.
///
/// It subscribes at most once, however many threads call ``connect(to:)``, and none of them waits
/// for another. After that, the source retains the scope and the hub.
final class SharedRun<Value: Sendable, Failure: Error>: Sendable {
  let hub: Hub<Value, Failure>
  let scope: Scope<Failure>
  private let site: Site
  private let hasBegun = Atomic<Bool>(false)
  /// The number of subscribers that a connection has through
  /// ``Connection/autoconnect(file:line:column:)``, however often that was called.
  let members = Atomic<Int>(0)

  /// - Parameters:
  ///   - hub: Receives the events.
  ///   - site: The site of the sharing operator.
  ///   - onEnd: Called when the source has ended by itself, with or without an event; it has to
  ///     notify the hub.
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

  /// Subscribes to `source`, at the first call only.
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
