import Glibc
import Reactive
import Testing

/// Neither a list of a million elements nor a long series of lists derived from one another
/// overflows a small stack.
@Suite(.tags(.stress)) struct LazyListDepthTests {
  private static let count = scaledDepth(1_000_000)

  @Test func aLongListIsWalkedAndReleased() {
    let count = Self.count
    let sum = Counter()
    onASmallStack {
      let list = (0..<count).lazyList.map { $0 & 1 }.filter { $0 == 1 }.scan(0, +)
      for _ in list { sum.add() }
      sum.add(list.take(last: 1).head ?? 0)
    }
    #expect(sum.value == count)
  }

  @Test func aLongListWithoutDerivedListsIsReleased() {
    let count = Self.count
    onASmallStack {
      let list = (0..<count).lazyList.eager
      withExtendedLifetime(list) {}
    }
    onASmallStack {
      let list = LazyList(head: 0, tail: (0..<count).lazyList)
      _ = list.skip(count / 2).head
    }
  }

  @Test func operatorsCanSkipManyElements() {
    let count = Self.count / 4
    let found = Counter()
    onASmallStack {
      let list = (0...).lazyList
      found.add(list.filter { $0 == count }.head ?? -1)
      found.add(list.skip(while: { $0 < count }).head ?? -1)
      found.add(list.skip(count).head ?? -1)
      found.add(list.flatMap { $0 < count ? .empty() : .just($0) }.head ?? -1)
    }
    #expect(found.value == 4 * count)
  }

  @Test func listsThatReferToTheNextDoNotGrowTheStack() {
    let count = Self.count / 4
    let found = Counter()
    onASmallStack {
      @Sendable func descent(_ left: Int) -> LazyList<Int> {
        left == 0 ? .just(7) : .deferred { descent(left - 1) }
      }
      found.add(descent(count).head ?? 0)
      @Sendable func numbers(from first: Int) -> LazyList<Int> {
        LazyList(head: first, tail: numbers(from: first + 1))
      }
      found.add(numbers(from: 0).skip(count).head ?? 0)
    }
    #expect(found.value == 7 + count)
  }

  @Test func listsDerivedFromEachOtherDoNotGrowTheStack() {
    let count = Self.count / 10
    let found = Counter()
    onASmallStack {
      var list = LazyList.just(1)
      for _ in 0..<count { list = LazyList<Int>.empty().concat(list) }
      found.add(list.head ?? 0)
      var joined = LazyList<Int>.empty()
      for _ in 0..<count { joined = joined.concat(.just(1)) }
      found.add(joined.head ?? 0)
      var unused = LazyList.just(1)
      for _ in 0..<count { unused = unused.filter { $0 > 0 } }
    }
    #expect(found.value == 2)
  }

  @Test func foldsDoNotGrowTheStack() {
    let count = Self.count
    let sum = Counter()
    onASmallStack {
      let list = repeatElement(1, count: count).lazyList
      sum.add(list.foldLeft(0, +))
      sum.add(list.foldRight(0, +))
    }
    #expect(sum.value == 2 * count)
  }

  @Test func equalityAndHashingDoNotGrowTheStack() {
    let count = Self.count / 4
    let equal = Counter()
    onASmallStack {
      let (one, other) = ((0..<count).lazyList, (0..<count).lazyList.map { $0 })
      if one == other, one.hashValue == other.hashValue { equal.add() }
    }
    #expect(equal.value == 1)
  }
}
