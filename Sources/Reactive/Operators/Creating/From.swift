import TraceFormat

extension Signal {
  /// A cold signal that sends the values of a sequence, then completes.
  ///
  /// The sequence may be endless: no value is taken from it after the subscription has ended. The
  /// thread that starts the subscription sends the values one after another, without yielding to
  /// other work.
  ///
  /// An array, a slice of one, or a range of `Int` needs no scheduler: its values are sent before
  /// `subscribe` returns, on any thread. The iterator of any other sequence is code that may take
  /// long, and starts as other work does (contract rule 8): on ``QueueScheduler/background`` if
  /// there is no current scheduler.
  @inlinable
  public static func from(
    _ values: some Sequence<Value> & Sendable,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    FromSignal(Site("from", file, line, column), values)
  }
}

/// What `from` returns.
@usableFromInline
final class FromSignal<Values: Sequence & Sendable, Failure: Error>: Signal<
  Values.Element, Failure
>,
@unchecked Sendable
where Values.Element: Sendable {
  @usableFromInline let elements: Values

  @inlinable
  init(_ site: Site, _ elements: Values) {
    self.elements = elements
    super.init(direct: site) { signal, scope, trace, next, _ in
      let from = unsafeDowncast(signal, to: FromSignal.self)
      if trace == nil, Self.needsNoScheduler || CurrentScheduler.startsColdSources {
        from.sendAll(scope, next)
      } else {
        from.sendTicking(Sink(in: scope, trace, next: next))
      }
    }
  }

  @inlinable @inline(__always)
  func sendAll(_ scope: Scope<Failure>, _ next: @Sendable (Values.Element) -> Void) {
    var iterator = elements.makeIterator()
    while scope.isActive, let value = iterator.next() { next(value) }
    scope.end(.completed)
  }

  /// Sends the elements if there is no scheduler, or if something is recorded: each value is then
  /// recorded with its own time.
  @inlinable @inline(never)
  func sendTicking(_ down: Sink<Values.Element, Failure>) {
    if Self.needsNoScheduler { return down.sendTicking(elements) }
    down.startCold { [elements] in down.sendTicking(elements) }
  }

  /// Whether all elements exist already, so that iterating runs only code of the standard library.
  ///
  /// A constant, if the type is known.
  @inlinable static var needsNoScheduler: Bool {
    @inline(__always) get {
      Values.self == [Values.Element].self || Values.self == ArraySlice<Values.Element>.self
        || Values.self == ContiguousArray<Values.Element>.self
        || Values.self == Range<Int>.self || Values.self == ClosedRange<Int>.self
    }
  }
}

extension Sink {
  /// Sends all values, each with its own time if something is recorded.
  @inlinable
  func sendTicking(_ values: some Sequence<Value>) {
    var iterator = values.makeIterator()
    while scope.isActive, let value = iterator.next() {
      nextInTime(value)
    }
    scope.end(.completed)
  }
}
