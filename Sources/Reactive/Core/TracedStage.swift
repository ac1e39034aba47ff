public import ReactiveTrace

/// Counts and records a value, in this module: the C functions that the event path is made of are not inlined where
/// a closure of ours is specialised in another one.
///
/// Not for a stage that is not traced.
@usableFromInline @inline(never)
func recordNext(_ stage: TraceID) {
  assert(stage != .none)
  Tracer.nextOfTraced(stage)
}

/// What tells the trace of a stage's values and of its release.
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
    // Apart, so that nothing has to be kept over the call where no value is described.
    if describes { describe(value) } else { recordNext(id) }
  }

  @inlinable @inline(never)
  func describe<Value>(_ value: Value) {
    recordNext(id)
    Tracer.value(id, value)
  }

  /// The stage's closures have been freed.
  @inlinable @inline(__always)
  func release() { Tracer.release(id) }
}

/// What passes from one stage to the next is told, and so is its release: then the stage's closures have been freed.
///
/// It is its closure's only capture, and so its context: a stage costs one object more where it is traced.
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

/// A traced stage of an operator whose closure it is the context of, so that it needs no probe: it costs no object
/// more than a stage that is not traced.
@usableFromInline
final class TracedStage<Operation: AnyObject & Sendable, Value: Sendable>: @unchecked Sendable {
  // Unchecked for `operation`, which is sendable itself.
  /// Retained by hand, so that calling its function retains nothing.
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

/// The last stage, before a program's handler.
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

/// What a closure of a traced stage holds that is nothing of these.
@usableFromInline
final class ClosureTrace: Sendable {
  @usableFromInline let id: TraceID

  @usableFromInline
  init(_ id: TraceID) { self.id = id }

  deinit { Tracer.release(id) }
}

/// Tells that stages have ended, where their scope does not keep them by itself.
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
  /// Tells that a stage has ended, and those before which it was put.
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

  /// Ties the end of traced stages, which nobody can end yet, to the end of this.
  ///
  /// As with what is owned, the latest goes first.
  @inlinable @inline(__always)
  final func own(_ stages: TraceStages) { if !keep(stages) { ownAlone(stages) } }

  @usableFromInline @inline(never)
  final func ownAlone(_ stages: TraceStages) {
    if stages.next != .none { Tracer.put(stages.first, before: .none) }
    own(StageEnd(stages.last))
  }
}
