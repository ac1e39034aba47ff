public import ReactiveTrace

/// An event that is delivered later, with the asynchronous backtrace of its sender, even if the
/// work that delivers it was scheduled for another event.
@usableFromInline
struct Postponed<Event: Sendable>: Sendable {
  @usableFromInline let event: Event
  @usableFromInline let origin: TraceOrigin

  /// An event whose sender schedules the work that delivers it, or is on the stack during the
  /// delivery.
  @inlinable @inline(__always)
  init(_ event: Event) {
    self.event = event
    origin = TraceOrigin()
  }

  /// An event that work on a scheduler will deliver.
  @inlinable @inline(__always)
  init(_ event: Event, on scheduler: any Scheduler) {
    self.event = event
    origin =
      Tracer.isOn ? Tracer.origin(scheduler: scheduler.identity.traceNumber) : TraceOrigin()
  }

  /// An event that serial work will deliver; the work may have been scheduled for another event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - work: Delivers it.
  ///   - isScheduled: Whether the work is scheduled already; only evaluated if something is
  ///     recorded.
  @inlinable @inline(__always)
  init(_ event: Event, joining work: SerialWork, if isScheduled: @autoclosure () -> Bool = true) {
    self.event = event
    origin = Tracer.isOn && isScheduled() ? work.origin() : TraceOrigin()
  }

  /// Another event, with the same sender.
  func replaced<Other: Sendable>(by other: Other) -> Postponed<Other> {
    Postponed<Other>(other, origin)
  }

  init(_ event: Event, _ origin: TraceOrigin) {
    self.event = event
    self.origin = origin
  }

  /// Runs `body` with the event and with the asynchronous backtrace of its sender.
  @inlinable @inline(__always)
  func deliver(_ body: (Event) -> Void) {
    if origin.chain == 0 { body(event) } else { Tracer.run(from: origin) { body(event) } }
  }
}

extension SerialWork {
  /// The asynchronous backtrace of the caller, for an event that the work will deliver.
  @usableFromInline @inline(never)
  func origin() -> TraceOrigin { Tracer.origin(scheduler: scheduler.identity.traceNumber) }
}
