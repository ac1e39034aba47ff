import Reactive
import ReactiveTesting
import Testing

@Suite struct FlattenSequencesTests {
  @Test func sendsTheElementsOneByOne() {
    expectMarbles("-1-2-|", "-(1a)-(2a)-|") { $0.map { [$0, "a"] }.flatten() }
    expectMarbles("-1-#", "-(1a)-#") { $0.map { [$0, "a"] }.flatten() }
    expectMarbles("-1-2-|", "-----|") { $0.map { _ in [String]() }.flatten() }
  }

  @Test func endlessElementsEnd() {
    let seen = Signal<Int, Never>.just(5).map { $0... }.flatten().take(3).recorded()
    #expect(seen.events == [.next(5), .next(6), .next(7), .completed])
  }

  @Test func disposalFromInsideAnElementDropsTheRest() {
    let source = Subject<[Int], Never>()
    let disposable = SerialDisposable()
    let seen = Recorder<Int, Never>()
    disposable.inner = source.signal.flatten().subscribe { value in
      seen.next(value)
      if value == 2 { disposable.dispose() }
    }
    source.send([1, 2, 3])
    #expect(seen.values == [1, 2])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("flatten") { source in source.map { [$0] }.flatten() }
  }
}
