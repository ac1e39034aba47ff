import CReactiveTraceShims
public import ReactiveTrace

/// Finds cycles for the trace: if a closure of a subscription holds the object whose bag holds the
/// subscription, the two keep each other alive.
///
/// The closures are inspected when the subscription is made, while its signals still exist. The
/// result is used when the same thread adds the subscription to its owner.
@usableFromInline
enum RetainCycles {
  /// The largest number of signals that are inspected for one subscription.
  private static let mostSignals = 32

  private static let knowsClasses: Void = rxt_holdings_know(
    unsafeBitCast(Function<Int, Int>.self, to: UnsafeRawPointer.self),
    unsafeBitCast(Joining<Int, Never>.self, to: UnsafeRawPointer.self),
    unsafeBitCast(DisposableBag.self, to: UnsafeRawPointer.self)
  )

  /// Inspects the memory of the closures with which a subscription was made.
  ///
  /// - Parameters:
  ///   - signal: The signal that is subscribed to; the signals upstream of it are inspected, too.
  ///   - handler: The object that holds the handler.
  ///   - site: Where the handler was passed to `subscribe`.
  ///   - subscription: The subscription.
  /// - Complexity: O(number of inspected signals), with some system calls for each.
  @usableFromInline @inline(never)
  static func inspect<Value, Failure>(
    _ signal: Signal<Value, Failure>,
    _ handler: RootProbe<Value>,
    _ site: Site,
    _ subscription: TraceID
  ) {
    rxt_holdings_begin(subscription.rawValue)
    _ = knowsClasses
    var left: [any AnySignal] = [signal]
    var next = 0
    while next < left.count, next < mostSignals {
      let one = left[next]
      next += 1
      withPointer(to: one) { rxt_holdings_add(one.node.site.traceNumber, $0) }
      left += one.upstreams.all
    }
    withPointer(to: handler) { rxt_holdings_add(site.traceNumber, $0) }
  }

  /// Records in the trace which closure holds the owner, if one does: the closure of an operator,
  /// or the handler.
  ///
  /// - Parameters:
  ///   - subscription: The subscription that was put into the owner.
  ///   - owner: The owner's identifier in the trace.
  ///   - object: The owner as an object.
  static func record(_ subscription: TraceID, _ owner: TraceID, _ object: AnyObject) {
    let holder = withPointer(to: object) { rxt_holdings_of(subscription.rawValue, $0) }
    guard holder.site != 0 else { return }
    Tracer.ownerHeld(subscription, at: holder.site, owner, between: holder.between)
  }

  private static func withPointer<Result>(
    to object: AnyObject,
    _ body: (UnsafeRawPointer) -> Result
  ) -> Result {
    withExtendedLifetime(object) { body(Unmanaged.passUnretained(object).toOpaque()) }
  }
}
