import TraceFormat

extension Signal {
  /// Collects values into lists, which may overlap; other signals determine when each list begins
  /// and ends.
  ///
  /// ```
  /// source                      -1-2-3-4-5-6-|
  /// openings                    --x-x---------
  /// closing                       ----|          of each opening
  /// buffer(openings:closing:)   ------a-b----|   a: [2, 3], b: [3, 4]
  /// ```
  ///
  /// Each value of the openings begins a list; the first value or the completion of the signal that
  /// the closure makes from it ends that list and sends it, even if it is empty. A failure of such
  /// a signal ends nothing, and neither does any end of the openings: lists continue until the
  /// source completes, which sends them in the order in which they began. The openings are
  /// subscribed to first, and a closing signal when its list has begun. If the source can no longer
  /// send, the lists are sent, too (contract rule 11); a failure of the source drops them (contract
  /// rule 4).
  ///
  /// - Parameters:
  ///   - openings: Its values begin the lists.
  ///   - closing: Runs once per value of the openings and subscription.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of lists, which ends exactly when this one does, and in the same way.
  /// - Complexity: Retains the values of all lists, without a bound; the cost of each value is
  ///   proportional to the number of open lists.
  public func buffer<
    Opening: Sendable,
    OpeningFailure: Error,
    Closing: Sendable,
    ClosingFailure: Error
  >(
    openings: Signal<Opening, OpeningFailure>,
    closing: @escaping @Sendable (Opening) -> Signal<Closing, ClosingFailure>,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(
      // It is bounding because endless openings end with the source.
      Site("buffer(openings:closing:)", file, line, column, [.bounding, .folds, .triggers]),
      .many([self, openings])
    ) { [self] down in
      let stage = OpenBuffersStage(down)
      down.scope.own(stage)
      let kept = Arrival.collect {
        openings.attachOpening(in: down.scope, down.trace, stage, closing: closing) {
          stage.open($0)
        } close: {
          stage.close($0)
        }
      }
      guard down.scope.isActive else { return }
      let source = UpstreamScope<Failure>(in: down.scope) { stage.end($0) }
      attach(Sink(source, down.trace, stage) { stage.receive($0) }, after: kept)
    }
  }
}

extension Signal {
  /// Starts this signal of openings: calls `open` with a number for each of its values, and `close`
  /// with the same number when the signal that `closing` makes from the value has sent or
  /// completed.
  func attachOpening<Closing: Sendable, ClosingFailure: Error>(
    in scope: Subscription,
    _ trace: SubscriptionTrace?,
    _ stage: GatedStage,
    closing: @escaping @Sendable (Value) -> Signal<Closing, ClosingFailure>,
    open: @escaping @Sendable (_ number: Int) -> Void,
    close: @escaping @Sendable (_ number: Int) -> Void
  ) {
    let count = StageState(0)
    let all = UpstreamScope<Failure>(in: scope) { _ in }
    attach(
      Sink(all, trace, stage) { opening in
        count.value += 1
        let number = count.value
        let last = closing(opening)
        open(number)
        let part = UpstreamScope<ClosingFailure>(in: scope) { end in
          if case .completed = end { close(number) }
        }
        // Outside the gate, so that an endless closing signal is ended by its first value (contract
        // rule 10).
        stage.whenOpen {
          guard part.isActive else { return }
          last.attach(
            Sink(part, trace, stage) { _ in part.finish(.completed, upstream: .cancelled) }
          )
        }
      }
    )
  }
}

/// The lists that are open, changed inside the gate only.
///
/// Its `Sendable` conformance is unchecked for that reason.
private final class OpenBuffersStage<Value: Sendable, Failure: Error>: GatedStage,
  @unchecked Sendable
{
  private struct List {
    let number: Int
    var values: [Value] = []
  }

  private struct OpenBuffers: Holding {
    /// In the order in which they began.
    var all: [List] = []
    var held: Int { all.reduce(0) { $0 + $1.values.count } }

    mutating func append(_ value: Value) {
      for index in all.indices { all[index].values.append(value) }
    }
  }

  private let scope: Scope<Failure>
  @exclusivity(unchecked) private var next: @Sendable ([Value]) -> Void
  @exclusivity(unchecked) private var lists: Held<OpenBuffers>

  init(_ down: Sink<[Value], Failure>) {
    scope = down.scope
    lists = Held(OpenBuffers(), for: down.trace)
    next = down.next
    super.init(downstream: down.downstreamGate)
  }

  func open(_ number: Int) {
    gate.run { if self.scope.isActive { self.lists.values.all.append(List(number: number)) } }
  }

  func close(_ number: Int) {
    gate.run {
      let index = self.lists.values.all.firstIndex { $0.number == number }
      guard let index, self.scope.isActive else { return }
      self.send(self.lists.change { $0.all.remove(at: index) })
    }
  }

  func receive(_ value: Value) {
    gate.run {
      self.lists.change { $0.append(value) }
    }
  }

  func end(_ end: End<Failure>) {
    gate.run {
      if !end.isFailure {
        while self.scope.isActive, !self.lists.values.all.isEmpty {
          self.send(self.lists.change { $0.all.removeFirst() })
        }
      }
      self.scope.end(end)
    }
  }

  private func send(_ list: List) {
    if scope.isActive { next(list.values) }
  }

  override func clear() {
    next = { _ in }
    lists.values.all = []
  }
}
