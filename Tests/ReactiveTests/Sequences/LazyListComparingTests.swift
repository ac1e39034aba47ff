import Foundation
import Reactive
import Testing

@Suite struct LazyListComparingTests {
  @Test func listsWithTheSameElementsAreEqual() {
    let list: LazyList = [1, 2, 3]
    #expect(list == (1...3).lazyList && list == list.map { $0 } && list == list.eager)
    #expect(list != [1, 2] && list != [1, 2, 3, 4] && list != [1, 2, 4])
    #expect(LazyList<Int>.empty() == [] && LazyList<Int>.empty() != [1])
    let endless = (0...).lazyList
    #expect(endless == endless && endless != endless.map { -$0 })
  }

  @Test func comparingEvaluatesUpToTheFirstDifference() {
    let seen = Evaluations()
    #expect(numbers(seen) != [0, 7, 8, 9])
    #expect(seen.all == ["0", "1"])
  }

  @Test func equalListsHashEqually() {
    let set: Set<LazyList<Int>> = [[1, 2], (1...2).lazyList, [1], [], [2, 1]]
    #expect(set.count == 4)
    #expect(set.contains([1, 2].lazyList.filter { $0 > 0 }))
  }

  @Test func aListIsCodedAsAnArray() throws {
    let list = (1...4).lazyList.filter { $0 != 2 }
    let data = try JSONEncoder().encode(list)
    #expect(String(decoding: data, as: UTF8.self) == "[1,3,4]")
    #expect(try JSONDecoder().decode(LazyList<Int>.self, from: data) == list)
    #expect(try JSONDecoder().decode(LazyList<String>.self, from: Data("[]".utf8)) == [])
  }

  @Test func onlyAnArrayIsDecoded() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LazyList<Int>.self, from: Data(#"{"a": 1}"#.utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LazyList<Int>.self, from: Data(#"[1, "b"]"#.utf8))
    }
  }

  @Test func theDescriptionShowsEvaluatedElementsAndEvaluatesNone() {
    let seen = Evaluations()
    let list = [1, 2, 3].lazyList.map { seen.noting($0) }
    #expect("\(list)" == "(…)")
    #expect(list.tail?.head == 2)
    #expect("\(list)" == "(…, 2, …)")
    #expect(Array(list) == [1, 2, 3])
    #expect("\(list)" == "(1, 2, 3)")
    #expect("\(LazyList<Int>.empty())" == "()")
    #expect("\((0..<1_000).lazyList.eager)".hasSuffix("98, 99, …)"))
  }
}
