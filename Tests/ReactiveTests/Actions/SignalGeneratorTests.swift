import Reactive
import ReactiveTesting
import Testing

@Suite struct SignalGeneratorTests {
  @Test func makesASignalForEachInput() {
    let generator = SignalGenerator<Int, String, Never> { .just("\($0)") }
    #expect(generator.signal(for: 1).recorded().values == ["1"])
    #expect(generator.signal(for: 2).recorded().values == ["2"])
  }

  @Test func aReflexiveOneRefersToItselfAndIsFreedWithItsSignals() {
    let lives = LifeCount()
    var generator: SignalGenerator<Int, Int, Never>? = SignalGenerator(
      reflexive: { [t = lives.token()] generator, count in
        t.touch()
        return count == 0
          ? .just(0) : .just(count).append(.deferred { generator.signal(for: count - 1) })
      }
    )
    var signal = generator?.signal(for: 3)
    generator = nil
    #expect(lives.count == 1)
    #expect(signal?.recorded().values == [3, 2, 1, 0])
    signal = nil
    #expect(lives.count == 0)
  }

  @Test func postcomposesWithAnother() {
    let words = SignalGenerator<String, String, Never> {
      .from($0.split(separator: " ").map(String.init))
    }
    let lengths = SignalGenerator<String, Int, Never> { .just($0.count) }
    let composed = words.postcompose(lengths)
    #expect(composed.signal(for: "a bb ccc").recorded().values == [1, 2, 3])
    #expect(composed.signal(for: "a").site.description.hasPrefix("flatMap @ SignalGeneratorTests"))
  }

  @Test func aSignalIsAGeneratorOfItself() {
    let generator = Signal<Int, Never>.just(1).generator(for: String.self)
    #expect(generator.signal(for: "any").recorded().values == [1])
  }
}
