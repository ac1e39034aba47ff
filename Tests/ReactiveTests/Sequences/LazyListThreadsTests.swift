import Dispatch
import Reactive
import ReactiveTesting
import Testing

/// Each element is evaluated once, whichever threads read it.
@Suite(.tags(.stress)) struct LazyListThreadsTests {
  @Test func manyThreadsEvaluateEachElementOnce() {
    for round in 0..<scaledCount(200) {
      let runs = Counter()
      let source = (0..<50).lazyList.map { value in
        runs.add()
        return value
      }
      let list = source.filter { $0 % 2 == 0 }.flatMap { [$0, -$0] }
      let (mapped, paired) = (list.map { "\($0)" }, zip(source, list))
      let sums = Locked<[Int]>([])
      onPlainThreads(8) { index in
        var sum = 0
        switch (index + round) % 4 {
        case 0: sum = list.foldLeft(0) { $0 + abs($1) }
        case 1: sum = mapped.foldLeft(0) { $0 + abs(Int($1) ?? 0) }
        case 2: for pair in paired { sum += abs(pair.1) }
        default: sum = 2 * source.filter { $0 % 2 == 0 }.foldLeft(0, +)
        }
        sums.withLock { $0.append(sum) }
      }
      #expect(sums.withLock { $0 } == Array(repeating: 1_200, count: 8))
      #expect(runs.value == 50)
    }
  }

  @Test func aThreadWaitsForTheOneThatEvaluates() {
    let begun = Latch()
    let go = Latch()
    let runs = Counter()
    let list = LazyList(
      head: {
        runs.add()
        begun.signal()
        return go.wait() ? 7 : 0
      }()
    )
    let seen = Locked<[Int?]>([])
    onPlainThreads(4) { index in
      if index == 0 {
        // This thread permits the evaluation to end once another thread has begun it.
        _ = begun.wait()
        go.signal()
      }
      let head = list.head
      seen.withLock { $0.append(head) }
    }
    #expect(seen.withLock { $0 } == [7, 7, 7, 7])
    #expect(runs.value == 1)
  }

  @Test func threadsThatReleasePartsOfAListFreeAllOfIt() {
    let lives = LifeCount()
    for _ in 0..<scaledCount(100) {
      let list = LazyList.unfold(0) { number -> LifeCount.Token? in
        number += 1
        return number <= 100 ? lives.token() : nil
      }
      onPlainThreads(8) { index in
        var rest: LazyList? = list.skip(index * 10)
        for _ in 0..<10 {
          rest?.head?.touch()
          rest = rest?.tail
        }
      }
    }
    #expect(lives.count == 0)
  }
}
