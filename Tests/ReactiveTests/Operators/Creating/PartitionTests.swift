import Reactive
import ReactiveTesting
import Testing

@Suite struct PartitionTests {
  @Test func eachValueIsSentByOneOfTheTwoSignals() {
    expectMarbles("-1-2-1-|", "-1---1-|") { $0.partition { $0 == "1" }.matching }
    expectMarbles("-1-2-1-|", "---2---|") { $0.partition { $0 == "1" }.others }
    expectMarbles("-1-2-#", "---2-#") { $0.partition { $0 == "1" }.others }
  }

  @Test func eachOfTheTwoSignalsSubscribesSeparately() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2|", on: time)
    let both = source.signal.partition { $0 == "1" }
    let matching = both.matching.recorded()
    #expect(source.subscriptions.count == 1)
    let others = both.others.recorded()
    #expect(source.subscriptions.count == 2)
    time.run()
    #expect(matching.values == ["1"])
    #expect(others.values == ["2"])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("partition") { $0.partition { $0 > 2 }.matching }
    checkOperatorContract("partition") { $0.partition { $0 > 2 }.others }
  }
}
