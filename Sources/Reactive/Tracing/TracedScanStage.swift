/// A traced stage of `scan`, which records its values itself.
@usableFromInline
final class TracedScanStage<Value: Sendable, Result: Sendable>: ScanStage<Value, Result>,
  @unchecked Sendable
{
  @usableFromInline let recorder: StageRecorder

  @inlinable @inline(__always)
  init(
    _ trace: SubscriptionTrace?,
    _ next: __owned @escaping @Sendable (Result) -> Void,
    _ scan: ScanFunction<Value, Result>
  ) {
    recorder = StageRecorder(trace)
    super.init(consume next, scan)
  }

  deinit { recorder.release() }

  @inlinable @inline(__always)
  func tracedHandler() -> @Sendable (Value) -> Void {
    {
      let result = self.combined($0)
      self.recorder.record(result)
      self.next(result)
    }
  }
}
