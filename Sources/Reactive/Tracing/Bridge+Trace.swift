public import ReactiveTrace

extension Bridge {
  /// The count of the values that are buffered for the waiter, the task or thread that waits for
  /// them.
  var held: HeldCount { HeldCount(ofEntity: Tracer.isOn ? id : .none) }

  /// Records that the waiter ends the subscription.
  @inlinable
  func recordDisposal(_ subscription: Subscription, _ id: TraceID) {
    if subscription.isActive { Tracer.disposeRequested(id) }
  }
}
