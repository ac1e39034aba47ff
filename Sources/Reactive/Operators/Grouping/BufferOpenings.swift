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
  /// The first value or the completion of a closing signal ends its list and sends it, even if the
  /// list is empty. When a closing signal fails, its list continues. When the openings end, even
  /// with a failure, all open lists continue. The openings are subscribed to before the source, and
  /// each closing signal is subscribed to after its list has begun.
  ///
  /// When the source completes or can no longer send (event contract, rule 11), the lists that have
  /// not ended are sent first, in the order in which they began. If the source fails, these lists
  /// are dropped (event contract, rule 4).
  ///
  /// - Parameters:
  ///   - openings: Each of its values begins a list.
  ///   - closing: Makes the closing signal of a list; runs once per value of `openings` and
  ///     subscription.
  /// - Returns: A signal of lists, which ends exactly when this one does, and in the same way.
  /// - Complexity: Retains the values of all open lists, however many there are; the cost of each
  ///   value is proportional to the number of open lists.
  public func buffer<
    Opening: Sendable,
    OpeningFailure: Error,
    Closing: Sendable,
    ClosingFailure: Error
  >(
    openings: Signal<Opening, OpeningFailure>,
    closing: @escaping @Sendable (Opening) -> Signal<Closing, ClosingFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(
      // The trait `bounding` says that the operator itself ends a subscription: when the source
      // ends, it ends the subscription to the openings, which may be endless.
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
  /// Subscribes to this signal of openings: calls `open` with a number for each value, and `close`
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
        // The closing signal is subscribed to when no event is being delivered, so that its first
        // value can end the subscription even if the signal is endless (event contract, rule 10).
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

/// The open lists of one subscription.
///
/// This class is `@unchecked Sendable` because of `next` and `lists`, which are used only inside
/// the gate, which lets one thread at a time deliver events.
private final class OpenBuffersStage<Value: Sendable, Failure: Error>: GatedStage,
  @unchecked Sendable
{
  private struct List {
    let number: Int
    var values: [Value] = []
  }

  private struct OpenBuffers: Holding {
    /// The open lists, in the order in which they began.
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
