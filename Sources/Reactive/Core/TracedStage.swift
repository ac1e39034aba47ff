public import ReactiveTrace

/// Counts and records a value, in this module: the C functions of the event path are not inlined
/// where a closure of this module is specialised in another one.
///
/// Not for a stage that is not traced.
@usableFromInline @inline(never)
func recordNext(_ stage: TraceID) {
  assert(stage != .none)
  Tracer.nextOfTraced(stage)
}

/// Records a stage's values and its release in the trace.
@usableFromInline
struct StageRecorder: Sendable {
  @usableFromInline let id: TraceID
  @usableFromInline let describes: Bool

  @inlinable @inline(__always)
  init(_ trace: SubscriptionTrace?) {
    id = trace?.id ?? .none
    describes = Tracer.mayRecordValues(of: id)
  }

  /// A value passes to the next stage.
  @inlinable @inline(__always)
  func record<Value>(_ value: Value) {
    // A separate call, so that nothing has to be kept across it if no value is described.
    if describes { describe(value) } else { recordNext(id) }
  }

  @inlinable @inline(never)
  func describe<Value>(_ value: Value) {
    recordNext(id)
    Tracer.value(id, value)
  }

  /// Records that the stage's closures have been freed.
  @inlinable @inline(__always)
  func release() { Tracer.release(id) }
}

/// Records the values that pass from one stage to the next, and its own release: then the stage's
/// closures have been freed.
///
/// It is the only capture of its closure, and therefore the closure's context: a traced stage costs
/// one more object.
@usableFromInline
final class Probe<Value: Sendable>: Sendable {
  @usableFromInline let recorder: StageRecorder
  @usableFromInline let next: @Sendable (Value) -> Void

  @inlinable @inline(__always)
  init(_ trace: SubscriptionTrace?, _ next: __owned @escaping @Sendable (Value) -> Void) {
    recorder = StageRecorder(trace)
    self.next = consume next
  }

  deinit { recorder.release() }

  @inlinable @inline(__always)
  func handler() -> @Sendable (Value) -> Void {
    {
      self.recorder.record($0)
      self.next($0)
    }
  }
}

/// A traced stage of an operator, used as the context of the operator's closure, so that it needs
/// no probe: it costs no more objects than an untraced stage.
@usableFromInline
final class TracedStage<Operation: AnyObject & Sendable, Value: Sendable>: @unchecked Sendable {
  // Unchecked for `operation`, which is Sendable itself.
  /// Retained manually, so that calling its function retains nothing.
  @usableFromInline let operation: Unmanaged<Operation>
  @usableFromInline let recorder: StageRecorder
  @usableFromInline let next: @Sendable (Value) -> Void

  @inlinable @inline(__always)
  init(
    _ trace: SubscriptionTrace?,
    _ operation: Operation,
    _ next: __owned @escaping @Sendable (Value) -> Void
  ) {
    self.operation = .passRetained(operation)
    recorder = StageRecorder(trace)
    self.next = consume next
  }

  deinit {
    recorder.release()
    operation.release()
  }

  @inlinable @inline(__always)
  func send(_ value: Value) {
    recorder.record(value)
    next(value)
  }
}

/// The last stage, in front of a program's handler.
@usableFromInline
final class RootProbe<Value: Sendable>: Sendable {
  @usableFromInline let id: TraceID
  @usableFromInline let whole: Subscription
  @usableFromInline let next: @Sendable (Value) -> Void

  @inlinable @inline(__always)
  init(
    _ id: TraceID,
    _ whole: Subscription,
    _ next: __owned @escaping @Sendable (Value) -> Void
  ) {
    self.id = id
    self.whole = whole
    self.next = consume next
  }

  deinit { Tracer.release(id) }

  @inlinable @inline(__always)
  func handler() -> @Sendable (Value) -> Void {
    {
      if self.whole.isActive {
        recordNext(self.id)
        self.next($0)
      } else {
        Tracer.refused(self.id, .next)
      }
    }
  }
}

/// Held by a closure of a traced stage that has none of the types above.
@usableFromInline
final class ClosureTrace: Sendable {
  @usableFromInline let id: TraceID

  @usableFromInline
  init(_ id: TraceID) { self.id = id }

  deinit { Tracer.release(id) }
}

/// Records that stages have ended, if their scope does not keep them itself.
@usableFromInline
final class StageEnd: Teardown, @unchecked Sendable {
  private let id: TraceID

  @usableFromInline
  init(_ id: TraceID) {
    self.id = id
    super.init()
  }

  @usableFromInline
  override func teardown(_ ending: Ending) { ending.record(id) }
}

extension Ending {
  /// Records that a stage has ended, and with it those below it before which it was put.
  @usableFromInline
  func record(_ id: TraceID) {
    switch reason {
    case .completed: Tracer.ended(id, by: nil)
    case .failed: Tracer.ended(id, by: errorType ?? (any Error).self)
    case .cancelled, .ownerGone, .sourceGone: Tracer.ended(id, reason, cause, by: owner)
    }
  }
}

extension Subscription {
  /// What traces call what ends: its address.
  @inlinable final var traceNumber: UInt {
    @inline(__always) get { UInt(bitPattern: ObjectIdentifier(self)) }
  }

  /// Ends traced stages, which cannot be ended by others yet, together with this subscription.
  ///
  /// As with owned members, the latest ends first.
  @inlinable @inline(__always)
  final func own(_ stages: TraceStages) { if !keep(stages) { ownAlone(stages) } }

  @usableFromInline @inline(never)
  final func ownAlone(_ stages: TraceStages) {
    if stages.next != .none { Tracer.put(stages.first, before: .none) }
    own(StageEnd(stages.last))
  }
}
