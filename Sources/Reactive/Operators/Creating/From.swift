import TraceFormat

extension Signal {
  /// A cold signal that sends the values of a sequence, then completes.
  ///
  /// The sequence may be endless: no value is taken from it after the subscription has ended. The
  /// thread that starts the subscription sends the values one after another, without yielding to
  /// other work.
  ///
  /// An array, a slice of one, a `ContiguousArray` or a range of `Int` needs no scheduler: its
  /// values are sent before `subscribe` returns, on any thread. The iterator of any other sequence
  /// may run slow code, so iteration starts on ``QueueScheduler/background`` if there is no current
  /// scheduler (event contract, rule 8).
  @inlinable
  public static func from(
    _ values: some Sequence<Value> & Sendable,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    FromSignal(Site("from", file, line, column), values)
  }
}

/// The signal that `from` returns.
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

  /// Sends the elements in the two cases in which `sendAll` cannot be used: if each value has to be
  /// recorded with its own time, in a trace, and if a scheduler has to start the iteration.
  @inlinable @inline(never)
  func sendTicking(_ down: Sink<Values.Element, Failure>) {
    if Self.needsNoScheduler { return down.sendTicking(elements) }
    down.startCold { [elements] in down.sendTicking(elements) }
  }

  /// Whether iterating runs only code of the standard library.
  ///
  /// The compiler replaces this property with a constant where it specialises the type.
  @inlinable static var needsNoScheduler: Bool {
    @inline(__always) get {
      Values.self == [Values.Element].self || Values.self == ArraySlice<Values.Element>.self
        || Values.self == ContiguousArray<Values.Element>.self
        || Values.self == Range<Int>.self || Values.self == ClosedRange<Int>.self
    }
  }
}

extension Sink {
  /// Sends all values, then completes; if traced, each value is recorded with its own time.
  @inlinable
  func sendTicking(_ values: some Sequence<Value>) {
    var iterator = values.makeIterator()
    while scope.isActive, let value = iterator.next() {
      nextInTime(value)
    }
    scope.end(.completed)
  }
}
