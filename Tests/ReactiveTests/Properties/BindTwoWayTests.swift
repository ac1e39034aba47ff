import Reactive
import ReactiveTesting
import Testing

@Suite struct BindTwoWayTests {
  @Test func takesTheOtherPropertysValueAndThenForwardsChangesBothWaysWithoutEcho() {
    let view = MutableProperty("view")
    let model = MutableProperty("model")
    let ofView = view.signal.recorded()
    let ofModel = model.signal.recorded()
    let link = view.bindTwoWay(to: model)
    #expect(view.value == "model")
    view.value = "typed"
    model.value = "loaded"
    #expect(view.value == "loaded")
    #expect(ofView.values == ["view", "model", "typed", "loaded"])
    #expect(ofModel.values == ["model", "typed", "loaded"])
    link.dispose()
    view.value = "alone"
    #expect(model.value == "loaded")
  }

  @Test func aNewValuePassesThroughAChainOnce() {
    let properties = (0..<5).map { MutableProperty($0) }
    for index in 1..<5 { properties[index].bindTwoWay(to: properties[index - 1]) }
    #expect(properties.map(\.value) == [0, 0, 0, 0, 0])
    let seen = properties.map { $0.signal.skip(1).recorded() }
    properties[2].value = 7
    properties[4].value = 8
    properties[0].value = 9
    withExtendedLifetime(properties) {}
    #expect(seen.map(\.values) == Array(repeating: [7, 8, 9], count: 5))
  }

  @Test func aNewValuePassesThroughARingOnce() {
    let properties = (0..<3).map { MutableProperty($0) }
    for index in 0..<3 { properties[index].bindTwoWay(to: properties[(index + 1) % 3]) }
    let seen = properties.map { $0.signal.skip(1).recorded() }
    properties[1].value = 7
    withExtendedLifetime(properties) {}
    #expect(seen.map(\.values) == [[7], [7], [7]])
  }

  @Test func aValueSetFromInsideAHandlerWins() {
    let a = MutableProperty(0)
    let b = MutableProperty(0)
    a.bindTwoWay(to: b)
    let subscription = b.signal.subscribe { if $0 == 1 { b.value = 2 } }
    a.value = 1
    #expect(a.value == 2)
    #expect(b.value == 2)
    subscription.dispose()
  }

  @Test func aValueThatWasSetIsNotReplacedByItsConversionThereAndBack() {
    let celsius = MutableProperty(20)
    let text = MutableProperty("")
    text.bindTwoWay(to: celsius, from: { "\($0)" }, to: { Int($0) ?? 0 })
    #expect(text.value == "20")
    text.value = "07"
    #expect(celsius.value == 7)
    #expect(text.value == "07")
    celsius.value = 8
    #expect(text.value == "8")
  }

  @Test func aBindingEndsWithEitherPropertyAndRetainsNeither() {
    for first in [true, false] {
      let lives = LifeCount()
      var a: MutableProperty<Int>? = MutableProperty(0)
      var b: MutableProperty<Int>? = MutableProperty(0)
      let note = lives.token()
      let link = b.flatMap { b in
        a?.bindTwoWay(
          to: b,
          from: {
            note.touch()
            return $0
          },
          to: { $0 }
        )
      }
      #expect(link?.isDisposed == false)
      if first { a = nil } else { b = nil }
      #expect(link?.isDisposed == true)
      withExtendedLifetime((a, b, note)) {}
    }
  }

  @Test func aBindingMayBeDisposedOfFromInsideAHandler() {
    let a = MutableProperty(0)
    let b = MutableProperty(0)
    let link = a.bindTwoWay(to: b)
    let subscription = b.signal.subscribe { if $0 == 1 { link.dispose() } }
    a.value = 1
    a.value = 2
    b.value = 3
    #expect(a.value == 2)
    #expect(b.value == 3)
    subscription.dispose()
  }

  @Test(.tags(.stress)) func aBindingDisposedOfWhileThreadsSetValuesForwardsNothing() {
    let a = MutableProperty(0)
    let b = MutableProperty(0)
    for _ in 0..<scaledCount(100) {
      let link = a.bindTwoWay(to: b)
      onPlainThreads(8) { thread in
        if thread == 0 { link.dispose() } else { (thread % 2 == 0 ? a : b).value = thread }
      }
      a.value = 100
      b.value = 200
      #expect(a.value == 100)
    }
  }

  @Test(.tags(.stress)) func propertiesInARingAreEqualAfterEightThreadsHaveSetThem() {
    let properties = (0..<4).map { MutableProperty($0) }
    for index in 0..<4 { properties[index].bindTwoWay(to: properties[(index + 1) % 4]) }
    let rounds = scaledCount(500)
    onPlainThreads(8) { thread in
      for round in 0..<rounds { properties[thread % 4].value = thread * rounds + round }
    }
    #expect(Set(properties.map(\.value)).count == 1)
  }
}
