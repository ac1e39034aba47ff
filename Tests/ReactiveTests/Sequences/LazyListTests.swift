import Reactive
import ReactiveTesting
import Testing

/// Records the evaluated elements in order.
final class Evaluations: Sendable {
  private let list = Locked<[String]>([])
  var all: [String] { list.withLock { $0 } }

  func noting<Value: Sendable>(_ value: Value) -> Value {
    list.withLock { $0.append("\(value)") }
    return value
  }
}

/// 0, 1, 2, …; records each number that is evaluated.
func numbers(_ evaluations: Evaluations) -> LazyList<Int> {
  (0...).lazyList.map { evaluations.noting($0) }
}

@Suite struct LazyListTests {
  @Test func theClosuresOfHeadAndTailRunOnceWhenTheyAreNeeded() {
    let seen = Evaluations()
    let list = LazyList(head: seen.noting("head"), tail: LazyList.just(seen.noting("tail")))
    #expect(seen.all == [])
    #expect(list.head == "head" && list.head == "head")
    #expect(seen.all == ["head"])
    #expect(list.tail?.head == "tail" && list.tail?.head == "tail")
    #expect(seen.all == ["head", "tail"])
  }

  @Test func theTailCanBeReadBeforeTheHead() {
    let seen = Evaluations()
    let list = LazyList(head: seen.noting(1), tail: .just(seen.noting(2)))
    #expect(list.tail?.head == 2)
    #expect(seen.all == ["2"])
    #expect(list.head == 1)
    #expect(seen.all == ["2", "1"])
  }

  @Test func copiesAndDerivedListsShareEvaluatedElements() {
    let seen = Evaluations()
    let list = numbers(seen)
    let (copy, doubled, first) = (list, list.map { $0 * 2 }, list.take(3))
    #expect(Array(first) == [0, 1, 2])
    #expect(copy.tail?.head == 1)
    #expect(Array(doubled.take(4)) == [0, 2, 4, 6])
    #expect(seen.all == ["0", "1", "2", "3"])
  }

  @Test func theEmptyListHasNeitherHeadNorTail() {
    let empty = LazyList<Int>.empty()
    #expect(empty.head == nil && empty.tail == nil && empty.isEmpty)
    let one = LazyList.just(1)
    #expect(one.head == 1 && one.tail?.isEmpty == true && one.tail?.tail == nil)
  }

  @Test func nilIsAnElement() {
    let list: LazyList<Int?> = [nil, 1, nil]
    #expect(list.head == .some(nil))
    #expect(Array(list) == [nil, 1, nil])
    #expect(Array(list.skipNil()) == [1])
    #expect(Array(list.replaceNil(with: 7)) == [7, 1, 7])
  }

  @Test func aDeferredListIsMadeOnceWhenItIsNeeded() {
    let made = Counter()
    let list = LazyList<Int>.deferred {
      made.add()
      return [1, 2]
    }
    #expect(made.value == 0)
    #expect(Array(list) == [1, 2] && Array(list.map { -$0 }) == [-1, -2])
    #expect(made.value == 1)
  }

  @Test func aListMayReferToItself() {
    let box = Box<LazyList<Int>>()
    let fibonacci = LazyList(
      head: 0,
      tail: LazyList(
        head: 1,
        tail: LazyList<Int>.deferred {
          guard let all = box.value, let rest = all.tail else { return .empty() }
          return zip(all, rest).map { $0 + $1 }.take(while: { $0 < 50 })
        }
      )
    )
    box.value = fibonacci
    // The list retains itself until it has been evaluated to its end.
    #expect(Array(fibonacci) == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34])
    box.value = nil
  }

  @Test(.enabled(if: _isDebugAssertConfiguration(), "an optimised build traps without a word"))
  func anElementThatDependsOnItselfTrapsWithAMessage() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let box = Box<LazyList<Int>>()
      let list = LazyList(head: (box.value?.head ?? 0) + 1)
      box.value = list
      _ = list.head
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("the evaluation of an element needs that element itself"), "\(text)")
  }

  // MARK: Eager and lazy

  @Test func eagerListsAndListsDerivedFromThemEvaluateEverything() {
    let seen = Evaluations()
    let list = (1...3).lazyList.map { seen.noting($0) }
    let eager = list.eager
    #expect(seen.all == ["1", "2", "3"])
    #expect(eager.isEager && !list.isEager)
    let derived = eager.map { seen.noting($0 * 10) }
    #expect(seen.all == ["1", "2", "3", "10", "20", "30"])
    let further = derived.filter { $0 > 10 }.tail?.concat([1]).map { seen.noting($0) }
    #expect(further?.isEager == true)
    #expect(seen.all.suffix(2) == ["30", "1"])
    #expect(Array(list) == [1, 2, 3] && seen.all.count == 8)
  }

  @Test func aLazyListOfAnEagerOneIsLazyAgain() {
    let seen = Evaluations()
    let list = (1...3).lazyList.eager.lazy.map { seen.noting($0) }
    #expect(!list.isEager && seen.all == [])
    #expect(list.head == 1)
    #expect(seen.all == ["1"])
  }

  static let derivations: [(String, @Sendable (LazyList<Int>) -> any Sendable)] = [
    ("map", { $0.map { $0 + 1 }.isEager }), ("filter", { $0.filter { $0 > 1 }.isEager }),
    ("take", { $0.take(1).isEager }), ("take none", { $0.take(0).isEager }),
    ("take last", { $0.take(last: 1).isEager }), ("take last none", { $0.take(last: 0).isEager }),
    ("take while", { $0.take { $0 < 2 }.isEager }), ("skip", { $0.skip(1).isEager }),
    ("skip last", { $0.skip(last: 1).isEager }), ("skip while", { $0.skip { $0 < 2 }.isEager }),
    ("scan", { $0.scan(0, +).isEager }), ("zip", { $0.zip(with: $0).isEager }),
    ("concat", { $0.concat([1]).isEager }), ("prepend", { $0.prepend([1]).isEager }),
    ("startWith", { $0.startWith(1).isEager }), ("flatMap", { $0.flatMap { [$0, $0] }.isEager }),
    ("bind", { $0.bind { { value, _ in .just(value) } }.isEager }),
    ("repeat", { $0.repeat(2).isEager }), ("distinct", { $0.distinct().isEager }),
    ("combinePrevious", { $0.combinePrevious().isEager }),
    ("enumerated", { $0.enumerated().isEager }), ("element", { $0.element(at: 0).isEager }),
    ("defaultIfEmpty", { $0.defaultIfEmpty(0).isEager }), ("tail", { $0.tail?.isEager ?? false }),
    ("compactMap", { $0.compactMap { Int?.some($0) }.isEager }),
  ]

  @Test(arguments: derivations.map(\.0))
  func derivedListsAreEagerIfTheirSourceIs(_ name: String) throws {
    let derive = try #require(Self.derivations.first { $0.0 == name }).1
    let list = (1...3).lazyList
    #expect(derive(list) as? Bool == false)
    #expect(derive(list.eager) as? Bool == true)
  }

  // MARK: Sequences

  @Test func everySequenceHasAList() {
    #expect(Array([1, 2].lazyList) == [1, 2])
    #expect(String("häuser".lazyList) == "häuser")
    #expect(Array((1...3).lazyList) == [1, 2, 3])
    #expect(Array(stride(from: 0, to: 10, by: 4).lazyList) == [0, 4, 8])
    #expect(Array(AnySequence([1, 2]).lazyList) == [1, 2])
    #expect(Set(Set([1, 2]).lazyList) == [1, 2])
    #expect(["a": 1].lazyList.head.map { "\($0.key)\($0.value)" } == "a1")
    #expect(["a": 1].keys.lazyList.head == "a" && ["a": 1].values.lazyList.head == 1)
    let list: LazyList = [1, 2]
    #expect(list.lazyList == list)
  }

  @Test func aListIsNotAffectedByLaterChangesOfItsCollection() {
    var values = [1, 2, 3]
    let list = values.lazyList
    values[1] = 7
    values.append(9)
    #expect(Array(list) == [1, 2, 3])
  }

  @Test func anEndlessSequenceIsReadOnlyAsFarAsNeeded() {
    let asked = Counter()
    let list = LazyList.unfold(0) { state in
      state += 1
      return asked.add()
    }
    #expect(asked.value == 0)
    #expect(list.skip(2).head == 3)
    #expect(asked.value == 3)
  }

  @Test func generatingMakesEachElementFromTheOneBefore() {
    #expect(Array(LazyList.generate(1, while: { $0 < 9 }, next: { $0 * 2 })) == [1, 2, 4, 8])
    #expect(Array(LazyList.generate(9, while: { $0 < 9 }, next: { $0 * 2 })) == [])
    #expect(Array(LazyList.generate(1) { $0 + 1 }.take(3)) == [1, 2, 3])
    #expect(Array(LazyList.repeating("x").take(3)) == ["x", "x", "x"])
  }

  @Test func aLoopReleasesElementsThatItHasPassed() {
    let lives = LifeCount()
    func list() -> LazyList<LifeCount.Token> {
      LazyList.unfold(0) { number in
        number += 1
        return number <= 100 ? lives.token() : nil
      }
    }
    var most = 0
    for element in list() {
      element.touch()
      most = max(most, lives.count)
    }
    #expect(most <= 2)
    #expect(lives.count == 0)
    let held = list()
    for element in held { element.touch() }
    #expect(lives.count == 100)
    withExtendedLifetime(held) {}
  }

  @Test func closuresAreReleasedOnceTheyHaveRun() {
    let lives = LifeCount()
    let list = [1, 2].lazyList.map { [token = lives.token()] value in
      token.touch()
      return value
    }
    #expect(lives.count == 1)
    #expect(Array(list) == [1, 2])
    #expect(lives.count == 0)
    withExtendedLifetime(list) {}
  }

  // MARK: Folds

  @Test func foldLeftBeginsWithTheFirstAndFoldRightWithTheLast() {
    let list: LazyList = ["a", "b", "c"]
    #expect(list.foldLeft("0") { "(\($0)\($1))" } == "(((0a)b)c)")
    #expect(list.foldRight("0") { "(\($0)\($1))" } == "(a(b(c0)))")
    #expect(list.foldRight(lazily: "0") { "(\($0)\($1()))" } == "(a(b(c0)))")
    #expect(LazyList<String>.empty().foldLeft("0") { $0 + $1 } == "0")
    #expect(LazyList<String>.empty().foldRight("0") { $0 + $1 } == "0")
  }

  @Test func aLazyFoldEvaluatesTheRestOnDemandAndOnce() {
    let seen = Evaluations()
    let isThere = numbers(seen).foldRight(lazily: false) { first, rest in first == 3 || rest() }
    #expect(isThere)
    #expect(seen.all == ["0", "1", "2", "3"])
    let runs = Counter()
    let sum = [1, 2, 3].lazyList.foldRight(lazily: 0) { first, rest in
      runs.add()
      return first + max(rest(), rest())
    }
    #expect(sum == 6 && runs.value == 3)
  }
}
