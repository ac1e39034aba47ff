import ReactiveTrace
import Synchronization

/// The trace identity of an object that owns subscriptions.
///
/// The owner is recorded together with its first traced subscription, so that an owner without
/// traced subscriptions costs nothing.
final class OwnerTrace: Sendable {
  private let site: Site
  /// The owner's number in the trace; 0 if it has none yet.
  private let number = Atomic<UInt32>(0)

  /// - Parameter site: Where the owner was made.
  init(_ site: Site) { self.site = site }

  deinit { end() }

  /// The owner's identifier in the trace; none if it has not been recorded.
  var id: TraceID { TraceID(rawValue: number.load(ordering: .relaxed)) }

  /// Records that the owner now holds `disposable`.
  ///
  /// - Parameters:
  ///   - disposable: The disposable that was added to the owner.
  ///   - object: The owner.
  @inline(__always)
  func bind(_ disposable: any Disposable, of object: AnyObject) {
    if Tracer.isOn { bindTraced(disposable, of: object) }
  }

  @inline(never)
  private func bindTraced(_ disposable: any Disposable, of object: AnyObject) {
    guard let subscription = (disposable as? TracedDisposable)?.id else { return }
    bind(subscription)
    RetainCycles.record(subscription, id, object)
  }

  /// Records that the owner disposes of `subscription` when the owner itself ends.
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

  /// Records that the owner has ended, if the owner was recorded.
  func end() {
    let known = number.exchange(0, ordering: .relaxed)
    if known != 0 { Tracer.ownerEnded(TraceID(rawValue: known)) }
  }
}
