import ReactiveTrace

extension Site {
  /// The number of the site in the trace.
  ///
  /// Takes a lock; only called if something is recorded.
  @usableFromInline
  var traceNumber: UInt32 {
    Tracer.site(name, traits: traits, file: file, line: line, column: column)
  }
}

extension SchedulerIdentity {
  /// The number of the scheduler in the trace, which is assigned at the first call.
  @usableFromInline var traceNumber: UInt32 {
    let known = number.withLock { $0 }
    if known != 0 { return known }
    let new = Tracer.scheduler(named: name, kind: kind)
    return number.withLock { number in
      if number == 0 { number = new }
      return number
    }
  }
}
