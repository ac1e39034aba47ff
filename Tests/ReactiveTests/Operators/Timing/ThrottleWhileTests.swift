import Reactive
import ReactiveTesting
import Testing

@Suite struct ThrottleWhileTests {
  /// A property set by the values of a marble diagram: `t` sets it to true, any other to false.
  private func property(
    _ signal: Signal<String, MarbleFailure>,
    initial: Bool = false
  ) -> Property<Bool> {
    Property(initial: initial, then: signal.map { $0 == "t" }.replaceFailure(with: true))
  }

  @Test func holdsTheLatestValueBackWhileThePropertyIsTrue() {
    expectMarbles("-1-2-3-4---5-|", "--t-------f---", "-1--------45-|") {
      $0.throttle(while: property($1))
    }
  }

  @Test func forwardsNothingIfNoValueArrivedMeanwhile() {
    expectMarbles("-1-------2-|", "--t--f---", "-1-------2-|") { $0.throttle(while: property($1)) }
  }

  @Test func aPropertyThatIsTrueFromTheStartHoldsTheFirstValue() {
    expectMarbles("-1-2--3-|", "----f---", "----2-3-|") {
      $0.throttle(while: property($1, initial: true))
    }
  }

  @Test func theEndDropsTheValueThatIsHeld() {
    expectMarbles("-1-2-|", "--t-------", "-1---|") { $0.throttle(while: property($1)) }
    expectMarbles("-1-2-#", "--t-------", "-1---#") { $0.throttle(while: property($1)) }
  }

  @Test func aPropertyThatIsGoneWhileTrueHoldsForEver() {
    let source = Subject<Int, Never>()
    let holding = Box(MutableProperty(false))
    let seen = source.signal.throttle(while: holding.value ?? MutableProperty(true)).recorded()
    source.send(1)
    holding.value?.value = true
    source.send(2)
    holding.value = nil
    source.send(3)
    source.complete()
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func itRetainsAPropertyMadeFromASignal() {
    let source = Subject<Int, Never>()
    let isBusy = Subject<Bool, Never>()
    let seen = source.signal
      .throttle(while: Property(initial: true, then: isBusy.signal)).recorded()
    source.send(1)
    isBusy.send(false)
    #expect(seen.values == [1])
    seen.dispose()
    #expect(!isBusy.hasObservers)
  }

  @Test func theHandlerMaySetThePropertyToTrue() {
    let source = Subject<Int, Never>()
    let holding = MutableProperty(false)
    let seen = Recorder<Int, Never>()
    let subscription = source.signal.throttle(while: holding).subscribe { value in
      seen.next(value)
      if value != 2 { holding.value = true }
    }
    for value in 1...3 { source.send(value) }
    #expect(seen.values == [1])
    holding.value = false
    source.send(4)
    #expect(seen.values == [1, 3])
    holding.value = false
    #expect(seen.values == [1, 3, 4])
    subscription.dispose()
  }

  @Test func freesTheValueThatIsHeld() {
    expectHeldValuesToBeFreed { signal, _ in signal.throttle(while: Property(value: true)) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("throttle(while:)") { $0.throttle(while: Property(value: false)) }
    let isHolding = MutableProperty(false)
    checkOperatorContract("throttle(while:)") { $0.throttle(while: isHolding) }
  }
}
