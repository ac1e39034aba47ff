import Reactive
import ReactiveTesting
import Testing

@Suite struct ScanMapTests {
  @Test func sendsTheResultThatIsChangedInPlace() {
    expectMarbles("-1-2-3-|", "-1-b-c-|", where: ["b": "12", "c": "123"]) {
      $0.scan(into: "") { $0 += $1 }
    }
    expectMarbles("--#", "--#") { $0.scan(into: "") { $0 += $1 } }
    expectMarbles("--|", "--|") { $0.scan(into: "") { $0 += $1 } }
  }

  @Test func mapsWithAState() {
    expectMarbles("-1-2-3-|", "-a-b-c-|", where: ["a": "0<1", "b": "1<2", "c": "2<3"]) {
      $0.scanMap("0") { ($1, "\($0)<\($1)") }
    }
    expectMarbles("-1-#", "-1-#") { $0.scanMap(0) { ($0 + 1, $1) } }
  }

  @Test func mapsWithAStateChangedInPlace() {
    expectMarbles("-a-b-c-|", "-1-2-3-|") {
      $0.scanMap(into: 0) { count, _ in
        count += 1
        return count
      }
    }
  }

  @Test func eachSubscriptionBeginsAnew() {
    let source = Signal<Int, Never>.from([1, 2])
    let lists = source.scan(into: [Int]()) { $0.append($1) }
    #expect(lists.recorded().values == [[1], [1, 2]])
    #expect(lists.recorded().values == [[1], [1, 2]])
    let states = source.scanMap(10) { ($0 + $1, $0) }
    #expect(states.recorded().values == [10, 11])
    #expect(states.recorded().values == [10, 11])
    let inPlace = source.scanMap(into: 10) { state, value in
      state += value
      return state
    }
    #expect(inPlace.recorded().values == [11, 13])
    #expect(inPlace.recorded().values == [11, 13])
  }

  @Test func theStateIsFreed() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let subscription = subject.signal.scan(into: [LifeCount.Token]()) { $0.append($1) }.subscribe()
    subject.send(lives.token())
    subject.send(lives.token())
    #expect(lives.count == 2)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("scan(into:)") { $0.scan(into: [Int]()) { $0.append($1) } }
    checkOperatorContract("scanMap") { $0.scanMap(0) { ($0 + $1, $0) } }
    checkOperatorContract("scanMap(into:)") { source in
      source.scanMap(into: 0) { state, value in
        state += value
        return state
      }
    }
  }
}
