import Reactive
import Testing

/// The checks of an operator; each records the violations it finds and continues.
struct ContractCheck {
  typealias Source = Signal<Int, ContractFailure>

  /// The operator's name; nil for an operator whose site is not checked.
  private let name: String?
  private let traits: OperatorTraits
  private(set) var violations: [ContractViolation] = []

  init(_ name: String?, _ traits: OperatorTraits) {
    self.name = name
    self.traits = traits
  }

  private mutating func require(_ rule: Int?, _ isTrue: Bool, _ explanation: String) {
    if isTrue { return }
    violations.append(
      ContractViolation(name: name ?? "the operator", rule: rule, explanation: explanation)
    )
  }

  // MARK: Names

  /// The site, which is what traces show of a signal, must contain the operator's name, the
  /// caller's file, and a line not before the caller's.
  mutating func naming<Output, Failure>(
    _ place: SourceLocation,
    _ apply: (Source, TestScheduler) -> Signal<Output, Failure>
  ) -> Site {
    let source = ContractSource()
    let site = apply(source.signal(), TestScheduler()).site
    source.abandon()
    guard let name else { return site }
    require(nil, "\(site.name)" == name, "its site has the name \(site.name)")
    require(
      nil,
      "\(site.file)" == place.fileID && site.line >= place.line,
      "its site says \(site.place), but it was applied at \(place.fileName):\(place.line) or below"
    )
    return site
  }

  /// If the process is traced, every subscription of the operator must have ended in the trace.
  mutating func trace(of site: Site) {
    for problem in ContractTrace(of: site)?.problems ?? [] { require(nil, false, problem) }
  }

  // MARK: Ends

  mutating func completion<Output, Failure>(
    _ apply: (Source, TestScheduler) -> Signal<Output, Failure>
  ) {
    let run = ContractRun(apply)
    run.send(1...3)
    run.complete()
    requireOneEnd(run, "completion of the source")
    require(1, run.seen.isCompleted, "the source completed, and what came was \(run.seen.events)")
    requireSilence(run, "completion")
    requireFreed(run, "completion")
  }

  mutating func failure<Output, Failure>(
    _ apply: (Source, TestScheduler) -> Signal<Output, Failure>
  ) {
    let run = ContractRun(apply)
    run.send(1...1)
    run.fail()
    if traits.contains(.handlesFailure) {
      run.subscription.dispose()
    } else {
      requireOneEnd(run, "failure of the source")
      let isEarlyCompletion = traits.contains(.endsEarly) && run.seen.isCompleted
      require(
        1,
        run.seen.failure != nil || isEarlyCompletion,
        "the source failed, and what came was \(run.seen.events)"
      )
    }
    requireSilence(run, "failure")
    requireFreed(run, "failure")
  }

  private mutating func requireOneEnd<Output, Failure>(
    _ run: ContractRun<Output, Failure>,
    _ occasion: String
  ) {
    let ends = run.seen.events.indices.filter { run.seen.events[$0].isTerminal }
    require(
      1,
      ends == [run.seen.events.count - 1],
      "expected one terminal event, the last, after \(occasion); what came was \(run.seen.events)"
    )
    require(6, run.subscription.isDisposed, "not disposed of after \(occasion)")
    require(6, run.wasDisposedAtEnd, "not yet disposed of when its terminal event was handled")
    requireNoUpstream(run, occasion)
  }

  /// Late and repeated events must change nothing.
  private mutating func requireSilence<Output, Failure>(
    _ run: ContractRun<Output, Failure>,
    _ occasion: String
  ) {
    let before = run.seen.events.count
    run.send(7...8)
    run.complete()
    run.fail()
    require(
      1,
      run.seen.events.count == before,
      "events after \(occasion): \(run.seen.events.dropFirst(before))"
    )
  }

  // MARK: Disposal

  mutating func disposal<Output, Failure>(
    _ apply: (Source, TestScheduler) -> Signal<Output, Failure>
  ) {
    let run = ContractRun(apply)
    run.source.send(1)
    run.source.send(2)
    run.subscription.dispose()
    requireNoUpstream(run, "disposal")
    let before = run.seen.events.count
    run.send(3...4)
    run.complete()
    require(
      2,
      run.seen.events.count == before,
      "events after disposal: \(run.seen.events.dropFirst(before))"
    )
    requireFreed(run, "disposal")
  }

  mutating func disposalFromNext<Output, Failure>(
    _ apply: (Source, TestScheduler) -> Signal<Output, Failure>
  ) {
    let run = ContractRun(apply, disposingAfter: 1)
    run.send(1...4)
    run.complete()
    if run.seen.values.isEmpty { return }
    require(
      2,
      run.seen.events.count == 1,
      "disposed of while the first value was handled, and what came was \(run.seen.events)"
    )
    requireNoUpstream(run, "disposal from inside a value")
    requireFreed(run, "disposal from inside a value")
  }

  mutating func sourceGone<Output, Failure>(
    _ apply: (Source, TestScheduler) -> Signal<Output, Failure>
  ) {
    if traits.contains(.outlivesSource) { return }
    let run = ContractRun(apply)
    run.source.abandon()
    run.time.run()
    require(11, run.subscription.isDisposed, "still active though its source is gone")
    require(
      11,
      !run.seen.hasEnded,
      "events although its source is gone and sent none: \(run.seen.events)"
    )
    requireFreed(run, "the end of its source")
  }

  private mutating func requireNoUpstream<Output, Failure>(
    _ run: ContractRun<Output, Failure>,
    _ occasion: String
  ) {
    if traits.contains(.sharesSource), !run.seen.hasEnded { return }
    require(9, run.source.active == 0, "its source is still subscribed to after \(occasion)")
  }

  private mutating func requireFreed<Output, Failure>(
    _ run: ContractRun<Output, Failure>,
    _ occasion: String
  ) {
    run.dropSignal()
    require(9, run.handlers.count == 0, "holds the subscriber's closures after \(occasion)")
    if traits.contains(.sharesSource) { return }
    require(9, run.source.closures.count == 0, "holds the source's closures after \(occasion)")
  }

  // MARK: Order

  /// Two subscriptions of one signal must not share state (rule 5), nor see different orders.
  mutating func independence<Output, Failure>(
    _ apply: (Source, TestScheduler) -> Signal<Output, Failure>
  ) {
    let run = ContractRun(apply)
    let second = run.subscribeAgain()
    run.send(1...5)
    run.complete()
    require(
      5,
      "\(run.seen.events)" == "\(second.events)",
      "two subscribers saw different events: \(run.seen.events) and \(second.events)"
    )
  }

  /// Values sent from inside a delivery must arrive after it, as if they had been sent afterwards
  /// (rule 3).
  mutating func reentrancy<Output, Failure>(
    _ apply: (Source, TestScheduler) -> Signal<Output, Failure>
  ) {
    let plain = ContractRun(apply)
    plain.send(1...6)
    plain.complete()
    let nested = ContractRun(apply, sendingFromNext: 2...6)
    nested.send(1...1)
    nested.sendRest()
    nested.complete()
    require(
      3,
      "\(plain.seen.events)" == "\(nested.seen.events)",
      "values sent from inside a delivery arrived as \(nested.seen.events), "
        + "the same sent afterwards as \(plain.seen.events)"
    )
  }
}
