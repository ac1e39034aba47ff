import ReactiveTrace
import Synchronization

/// What a trace knows of an object that owns subscriptions.
///
/// It is told of the owner with its first traced subscription, so that one that owns none costs nothing.
final class OwnerTrace: Sendable {
  private let site: Site
  /// The owner's number in the trace; 0 while it has none.
  private let number = Atomic<UInt32>(0)

  /// - Parameter site: Where the owner was made.
  init(_ site: Site) { self.site = site }

  deinit { end() }

  /// What the trace calls the owner; none while it does not know it.
  var id: TraceID { TraceID(rawValue: number.load(ordering: .relaxed)) }

  /// The owner has taken `disposable`.
  ///
  /// - Parameters:
  ///   - disposable: What it has taken.
  ///   - object: The owner.
  func bind(_ disposable: any Disposable, of object: AnyObject) {
    guard let subscription = (disposable as? TracedDisposable)?.id else { return }
    bind(subscription)
    Holdings.record(subscription, id, object)
  }

  /// The owner will end `subscription` with itself.
  func bind(_ subscription: TraceID) {
    var known = number.load(ordering: .relaxed)
    if known == 0 {
      let new = Tracer.ownerCreated(site: site.traceNumber)
      let (isFirst, other) = number.compareExchange(
        expected: 0,
        desired: new.rawValue,
        ordering: .relaxed
      )
      if !isFirst { Tracer.ownerEnded(new) }
      known = isFirst ? new.rawValue : other
    }
    Tracer.ownerBound(subscription, TraceID(rawValue: known))
  }

  /// The owner has let go of everything for good.
  func end() {
    let known = number.exchange(0, ordering: .relaxed)
    if known != 0 { Tracer.ownerEnded(TraceID(rawValue: known)) }
  }
}
