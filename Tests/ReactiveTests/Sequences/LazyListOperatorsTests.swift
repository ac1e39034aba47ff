import Reactive
import Testing

@Suite struct LazyListOperatorsTests {
  private static let samples: [[Int]] = [
    [], [1], [2, 2], [3, 1, 2], [1, 1, 2, 2, 1], Array(0..<9),
  ]

  /// Checks the elements of a list that an operator makes from a lazy and from an eager list.
  private static func check<Result: Sendable & Equatable>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ apply: (LazyList<Int>) -> LazyList<Result>,
    _ expected: ([Int]) -> [Result]
  ) {
    for sample in samples {
      let list = sample.lazyList
      #expect(Array(apply(list)) == expected(sample), sourceLocation: sourceLocation)
      #expect(Array(apply(list.eager)) == expected(sample), sourceLocation: sourceLocation)
    }
  }

  private final class Storage: Sendable {}
  private struct State: Sendable {
    var storage = Storage()
  }

  @Test func theStateOfAScanIsNotCopied() {
    let list = (0..<100).lazyList.scanMap(into: State()) { state, _ in
      isKnownUniquelyReferenced(&state.storage)
    }
    #expect(Array(list) == [Bool](repeating: true, count: 100))
  }

  @Test func mapAppliesAFunctionToEachElement() {
    Self.check({ $0.map { $0 * 2 } }, { $0.map { $0 * 2 } })
    Self.check({ $0.map(to: "x") }, { $0.map { _ in "x" } })
    Self.check({ $0.map(\.description) }, { $0.map(\.description) })
  }

  @Test func mapRunsOnlyForElementsThatAreRead() {
    let seen = Evaluations()
    let list = [1, 2, 3].lazyList.map { seen.noting($0) }
    #expect(list.tail?.tail?.head == 3)
    #expect(list.skip(1).head == 2)
    #expect(seen.all == ["3", "2"])
  }

  @Test func enumeratedNumbersTheElements() {
    Self.check({ $0.enumerated().map { [$0.index, $0.value] } }) {
      $0.enumerated().map { [$0.offset, $0.element] }
    }
  }

  @Test func scanContainsEachResultButNotTheInitialOne() {
    let sums: ([Int]) -> [Int] = { values in values.indices.map { values[...$0].reduce(0, +) } }
    Self.check({ $0.scan(0, +) }, sums)
    Self.check({ $0.scan(into: 0) { $0 += $1 } }, sums)
    Self.check({ $0.scanMap(0) { ($0 + $1, $0 + $1) } }, sums)
    Self.check(
      {
        $0.scanMap(into: 0) {
          $0 += $1
          return $0
        }
      },
      sums
    )
  }

  @Test func combinePreviousPairsNeighbours() {
    Self.check({ $0.combinePrevious().map { [$0.previous, $0.current] } }) { values in
      Swift.zip(values, values.dropFirst()).map { [$0, $1] }
    }
    Self.check({ $0.combinePrevious(9).map { [$0.previous, $0.current] } }) { values in
      Swift.zip([9] + values, values).map { [$0, $1] }
    }
  }

  @Test func filteringKeepsElementsThatPass() {
    Self.check({ $0.filter { $0 > 1 } }, { $0.filter { $0 > 1 } })
    Self.check(
      { $0.compactMap { $0 > 1 ? "\($0)" : nil } },
      { $0.filter { $0 > 1 }.map { "\($0)" } }
    )
    Self.check({ $0.ignore(1) }, { $0.filter { $0 != 1 } })
  }

  @Test func filterTestsEachElementOnceUpToTheOneThatIsNeeded() {
    let seen = Evaluations()
    let list = (0...).lazyList.filter { seen.noting($0) % 3 == 2 }
    #expect(seen.all == [])
    #expect(list.head == 2 && list.head == 2)
    #expect(seen.all == ["0", "1", "2"])
    #expect(list.tail?.head == 5)
    #expect(seen.all.count == 6)
  }

  @Test(arguments: [0, 1, 2, 5, 20])
  func takeAndSkipFollowTheirCount(_ count: Int) {
    Self.check({ $0.take(count) }, { Array($0.prefix(count)) })
    Self.check({ $0.skip(count) }, { Array($0.dropFirst(count)) })
    Self.check({ $0.take(last: count) }, { Array($0.suffix(count)) })
    Self.check({ $0.skip(last: count) }, { Array($0.dropLast(count)) })
    Self.check({ $0.element(at: count) }, { Array($0.dropFirst(count).prefix(1)) })
    Self.check({ $0.repeat(count) }, { sample in (0..<count).flatMap { _ in sample } })
  }

  @Test func takeEvaluatesNothingBeyondTheCount() {
    let seen = Evaluations()
    let list = LazyList(head: seen.noting(1), tail: .just(seen.noting(2)))
    #expect(Array(list.take(0)) == [] && seen.all == [])
    #expect(Array(list.take(1)) == [1] && seen.all == ["1"])
  }

  @Test func skipLastLooksAheadByTheCount() {
    let seen = Evaluations()
    #expect(Array(numbers(seen).skip(last: 2).take(2)) == [0, 1])
    #expect(seen.all == ["0", "1"])
  }

  @Test func takeAndSkipFollowTheirTest() {
    Self.check({ $0.take { $0 < 2 } }, { Array($0.prefix { $0 < 2 }) })
    Self.check({ $0.skip { $0 < 2 } }, { Array($0.drop { $0 < 2 }) })
    Self.check({ $0.take(while: { $0 < 2 }, inclusive: true) }) { values in
      Array(values.prefix((values.firstIndex { $0 >= 2 } ?? values.count - 1) + 1))
    }
  }

  @Test func distinctSkipsEarlierElements() {
    Self.check({ $0.distinct() }) { values in
      var seen: Set<Int> = []
      return values.filter { seen.insert($0).inserted }
    }
    Self.check({ $0.distinctUntilChanged() }) { values in
      values.indices.filter { $0 == 0 || values[$0] != values[$0 - 1] }.map { values[$0] }
    }
    #expect(Array([1, 3, 2, 4].lazyList.distinct { $0 % 2 }) == [1, 2])
    let optional: LazyList<Int?> = [nil, nil, 1]
    #expect(Array(optional.distinctUntilChanged()) == [nil, 1])
  }

  @Test func concatenationPutsOneListAfterTheOther() {
    Self.check({ $0.concat([8, 9]) }, { $0 + [8, 9] })
    Self.check({ $0.append([8, 9]) }, { $0 + [8, 9] })
    Self.check({ $0.prepend([8, 9]) }, { [8, 9] + $0 })
    Self.check({ $0.startWith(8, 9) }, { [8, 9] + $0 })
    Self.check({ $0.endWith(8, 9) }, { $0 + [8, 9] })
    Self.check({ $0.defaultIfEmpty(7) }, { $0.isEmpty ? [7] : $0 })
    for sample in Self.samples {
      let expected = sample.isEmpty ? [] : (0..<7).map { sample[$0 % sample.count] }
      #expect(Array(sample.lazyList.repeat().take(7)) == expected)
    }
  }

  @Test func flatMapPutsTheListsOneAfterTheOther() {
    let expected: ([Int]) -> [Int] = { $0.flatMap { Array(repeating: $0, count: $0 % 3) } }
    let apply: @Sendable (Int) -> LazyList<Int> = { value in
      Array(repeating: value, count: value % 3).lazyList
    }
    Self.check({ $0.flatMap(apply) }, expected)
    Self.check({ $0.concatMap(apply) }, expected)
    Self.check({ $0.map(apply).flatten() }, expected)
    Self.check({ $0.map(apply).concat() }, expected)
  }

  @Test func flatMapMakesAListWhenTheEarlierOnesAreExhausted() {
    let seen = Evaluations()
    let list = (0...).lazyList.flatMap { number in
      LazyList(head: seen.noting(number), tail: .just(number))
    }
    #expect(Array(list.take(3)) == [0, 0, 1])
    #expect(seen.all == ["0", "1"])
  }

  @Test func bindHasASeparateStateAndCanStop() {
    let made = Counter()
    let list = (1...).lazyList.bind {
      made.add()
      var sum = 0
      return { value, stop in
        sum += value
        stop = sum > 10
        return value == 2 ? .empty() : [value, sum]
      }
    }
    #expect(made.value == 0)
    #expect(Array(list) == [1, 1, 3, 6, 4, 10, 5, 15])
    #expect(Array(list).count == 8)
    #expect(made.value == 1)
    #expect(
      Array((1...).lazyList.bind { { value, _ in value < 3 ? .just(value) : nil } }) == [1, 2]
    )
  }

  @Test func zipEndsWithTheShorter() {
    Self.check({ zip($0, [7, 8].lazyList).map { [$0, $1] } }) { values in
      Swift.zip(values, [7, 8]).map { [$0, $1] }
    }
    Self.check({ zip((7...).lazyList, $0).map { [$0, $1] } }) { values in
      Swift.zip(7..., values).map { [$0, $1] }
    }
    let list: LazyList = [1, 2]
    #expect(
      Array(zip(list, list.map { -$0 }, (5...).lazyList).map { [$0, $1, $2] }) == [
        [1, -1, 5], [2, -2, 6],
      ]
    )
  }

  @Test func zipEvaluatesAPairWhenItIsRead() {
    let (left, right) = (Evaluations(), Evaluations())
    let pairs = zip(numbers(left), numbers(right))
    #expect(pairs.skip(2).head.map { [$0.0, $0.1] } == [2, 2])
    #expect(left.all == ["2"] && right.all == ["2"])
  }

  @Test func badCountsTrapWithTheRuleTheyBreak() async {
    await #expect(processExitsWith: .failure) { _ = [1].lazyList.take(-1) }
    await #expect(processExitsWith: .failure) { _ = [1].lazyList.skip(-1) }
    await #expect(processExitsWith: .failure) { _ = [1].lazyList.repeat(-1) }
  }
}
