import Reactive
import ReactiveTesting
import Testing

@Suite struct PropertyTests {
  @Test func aConstantSendsItsValueAndCompletes() {
    let property = Property(value: 1)
    #expect(property.value == 1)
    #expect(property.signal.recorded().events == [.next(1), .completed])
  }

  @Test func aReadOnlyViewFollowsThePropertyWithoutRetainingIt() {
    var mutable: MutableProperty<Int>? = MutableProperty(0)
    weak let held = mutable
    let view = mutable.map { Property($0) }
    let seen = view?.signal.recorded()
    mutable?.value = 1
    #expect(view?.value == 1)
    mutable = nil
    #expect(held == nil)
    #expect(view?.value == 1)
    #expect(seen?.events == [.next(0), .next(1), .completed])
  }

  @Test func aPropertyFollowsItsSignalUntilThePropertyIsReleased() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let lives = LifeCount()
    do {
      let property = Property(
        initial: 0,
        then: subject.signal.doNext { [t = lives.token()] _ in t.touch() }
      )
      seen.record(property.signal)
      subject.send(1)
      #expect(property.value == 1)
      #expect(lives.count == 1)
    }
    subject.send(2)
    #expect(seen.events == [.next(0), .next(1), .completed])
    #expect(lives.count == 0)
  }

  @Test func completesWithItsSignalAndKeepsTheLastValue() {
    let property = Property(initial: 0, then: .from([1, 2]))
    #expect(property.value == 2)
    #expect(property.signal.recorded().events == [.next(2), .completed])
  }

  @Test func completesWhenNothingCanSendToItAnyMore() {
    var subject: Subject<Int, Never>? = Subject()
    let property = subject.map { Property(initial: 0, then: $0.signal) }
    let seen = property?.signal.recorded()
    subject = nil
    #expect(seen?.events == [.next(0), .completed])
  }

  @Test func aDerivedPropertyHasANewValueAtOnce() {
    let number = MutableProperty(1)
    let text = number.map { "\($0)" }
    let seen = text.signal.recorded()
    let subscription = number.signal.subscribe { if $0 == 2 { number.value = 3 } }
    number.value = 2
    #expect(text.value == "3")
    #expect(seen.values == ["1", "2", "3"])
    subscription.dispose()
  }

  @Test func aDerivedPropertyRetainsOneThatFollowsASignal() {
    let subject = Subject<Int, Never>()
    let doubled = Property(initial: 1, then: subject.signal).map { $0 * 2 }
    subject.send(4)
    #expect(doubled.value == 8)
  }

  @Test func combinesWithAnother() {
    let a = MutableProperty(1)
    let b = MutableProperty("x")
    let both = a.combineLatest(with: b)
    let seen = both.signal.map { "\($0)\($1)" }.recorded()
    a.value = 2
    b.value = "y"
    #expect(both.value == (2, "y"))
    #expect(seen.values == ["1x", "2x", "2y"])
  }

  @Test func flatMapLatestFollowsThePropertyMadeFromItsValue() {
    let a = MutableProperty(1)
    let b = MutableProperty(2)
    let isFirst = MutableProperty(true)
    let chosen = isFirst.flatMapLatest { [a = a.readOnly, b = b.readOnly] in $0 ? a : b }
    let seen = chosen.signal.recorded()
    a.value = 3
    isFirst.value = false
    a.value = 4
    b.value = 5
    #expect(chosen.value == 5)
    #expect(seen.values == [1, 3, 2, 5])
  }

  @Test func aFollowedPropertyStaysAliveWhileItIsSubscribedTo() {
    let subject = Subject<Int, Never>()
    let outer = MutableProperty(0)
    let seen = outer.flatMapLatest { _ in Property(initial: 1, then: subject.signal) }.signal
      .recorded()
    subject.send(2)
    #expect(seen.values == [1, 2])
  }

  @Test func aNegatedPropertyHasTheOppositeValue() {
    let property = MutableProperty(true)
    let opposite = property.negate()
    #expect(!opposite.value)
    property.value = false
    #expect(opposite.value)
  }

  @Test func pairsAreZippedInOrder() {
    let number = MutableProperty(1)
    let letter = MutableProperty("a")
    let pairs = number.zip(with: letter).map { "\($0)\($1)" }
    let seen = pairs.signal.recorded()
    number.value = 2
    number.value = 3
    #expect(pairs.value == "1a")
    letter.value = "b"
    #expect(pairs.value == "2b")
    letter.value = "c"
    #expect(seen.values == ["1a", "2b", "3c"])
    #expect(pairs.signal.recorded().values == ["3c"])
  }

  @Test func zippedPropertiesEndWithTheLastCopyOrTheFirstReleasedInput() {
    let number = Box(MutableProperty(1))
    let letter = MutableProperty("a")
    let pairs = Box(number.value!.zip(with: letter))
    let seen = pairs.value!.signal.map { $0.0 }.recorded()
    pairs.value = nil
    #expect(seen.events == [.next(1), .completed])
    let others = number.value!.zip(with: letter)
    number.value = nil
    #expect(others.signal.map { $0.0 }.recorded().events == [.next(1), .completed])
  }

  @Test func equalValuesAreSkipped() {
    let number = MutableProperty(1)
    let distinct = number.distinctUntilChanged()
    let seen = distinct.signal.recorded()
    for value in [1, 2, 2, 1] { number.value = value }
    #expect(seen.values == [1, 2, 1])
    #expect(distinct.value == 1)
  }

  @Test func aDistinctPropertyHasTheValueThatWasSentLast() {
    let number = MutableProperty(1)
    let tens = number.distinctUntilChanged { $0 / 10 == $1 / 10 }
    let seen = tens.signal.recorded()
    for value in [9, 12, 19, 3] { number.value = value }
    #expect(seen.values == [1, 12, 3])
    number.value = 4
    #expect(tens.value == 3)
  }

  @Test func booleansAreCombined() {
    let a = MutableProperty(false)
    let b = MutableProperty(true)
    let (both, either) = (a.and(b), a.or(b.negate()))
    let seen = both.signal.recorded()
    #expect(!both.value)
    #expect(!either.value)
    a.value = true
    #expect(both.value)
    #expect(either.value)
    b.value = false
    #expect(seen.values == [false, true, false])
  }

  @Test func itsDescriptionNamesItsOperators() {
    let a = MutableProperty(false, "a")
    let b = MutableProperty(true, "b")
    #expect("\(a.zip(with: b).signal)" == "zip(a, b)")
    #expect("\(a.and(b).or(b.negate()).signal)" == "a.and(b).or(b.negate())")
    #expect("\(a.distinctUntilChanged().signal)" == "a.distinctUntilChanged()")
    #expect("\(a.distinctUntilChanged(by: ==).signal)" == "a.distinctUntilChanged(…)")
  }
}
