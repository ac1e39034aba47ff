import CReactiveTraceShims
import TracePlatform

/// Owners of subscriptions.
extension Tracer {
  /// Records an owner, an object that ends its subscriptions when it ends itself.
  ///
  /// To be called when the owner gets its first subscription.
  public static func ownerCreated(site: UInt32) -> TraceID {
    guard isOn, let (recorder, thread) = Recorder.enter() else { return .none }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level != 0 else { return .none }
    recorder.pointee.tick(thread)
    return recorder.pointee.ownerCreated(thread, site: site)
  }

  /// Records that the owner will end the subscription, unless that ends earlier.
  public static func ownerBound(_ subscription: TraceID, _ owner: TraceID) {
    guard owner != .none else { return }
    record(subscription) { $0.pointee.ownerBound($1, subscription, owner) }
  }

  /// Whether to inspect what the closures of a subscription hold: true for the first few of each
  /// line and caller, then ever more rarely.
  public static func shouldInspectHoldings(of subscription: TraceID) -> Bool {
    guard subscription != .none, let (recorder, thread) = Recorder.enter() else { return false }
    defer { Recorder.leave(thread) }
    if recorder.pointee.isStopped(thread) { return false }
    let slot = recorder.pointee.slab.slot(subscription)
    return rxt_holdings_due(Layout.Slot.site.relaxed(at: slot), Layout.Slot.chain.relaxed(at: slot))
  }

  /// Records that a closure passed to the operator at a site holds the object of the subscription's
  /// owner.
  ///
  /// - Parameters:
  ///   - subscription: The subscription.
  ///   - site: The operator.
  ///   - owner: The owner.
  ///   - between: The number of objects on the way from the object that the closure holds to the
  ///     owner's object; 0 if the held object refers to the owner's object directly.
  public static func ownerHeld(
    _ subscription: TraceID,
    at site: UInt32,
    _ owner: TraceID,
    between: UInt32
  ) {
    guard owner != .none, site != 0 else { return }
    record(subscription) { $0.pointee.ownerHeld($1, subscription, site, owner, between) }
  }

  /// Records that the owner has ended the subscriptions that it still held, and accepts no more.
  public static func ownerEnded(_ owner: TraceID) {
    record(owner, postponed: PostponedEnds.released) { $0.pointee.ownerEnded($1, owner) }
  }
}
