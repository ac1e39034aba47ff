/// A subscriber whose subscription is traced, and that records its values itself: it needs no
/// probe, and costs no more objects than an untraced one.
@usableFromInline
final class TracedListener<Value: Sendable, Failure: Error>: TypedListener<Value, Failure>,
  @unchecked Sendable
{
  @usableFromInline let recorder: StageRecorder

  @inlinable
  init(
    _ hub: HubBase,
    _ scope: __owned Scope<Failure>,
    _ trace: SubscriptionTrace?,
    _ next: __owned @escaping @Sendable (Value) -> Void
  ) {
    recorder = StageRecorder(trace)
    super.init(hub, consume scope, consume next)
  }

  @inlinable
  override func deliverTraced(_ value: Value) {
    recorder.record(value)
    next(value)
  }

  deinit { recorder.release() }
}
