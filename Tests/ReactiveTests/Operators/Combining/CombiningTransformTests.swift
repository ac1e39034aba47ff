import Reactive
import ReactiveTesting
import Testing

/// `combineLatest` and `zip` with a closure that combines the values have a separate overload for
/// each number of signals up to six, and one with a parameter pack for more.
@Suite struct CombiningTransformTests {
  private typealias Form =
    @Sendable ([Signal<Int, TestFailure>]) -> Signal<[Int], TestFailure>

  private static let latest: [Int: Form] = [
    2: { s in combineLatest(s[0], s[1]) { [$0, $1] } },
    3: { s in combineLatest(s[0], s[1], s[2]) { [$0, $1, $2] } },
    4: { s in combineLatest(s[0], s[1], s[2], s[3]) { [$0, $1, $2, $3] } },
    5: { s in combineLatest(s[0], s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3, $4] } },
    6: { s in combineLatest(s[0], s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4, $5] } },
    7: { s in
      combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5, $6] }
    },
  ]

  private static let zipped: [Int: Form] = [
    2: { s in zip(s[0], s[1]) { [$0, $1] } },
    3: { s in zip(s[0], s[1], s[2]) { [$0, $1, $2] } },
    4: { s in zip(s[0], s[1], s[2], s[3]) { [$0, $1, $2, $3] } },
    5: { s in zip(s[0], s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3, $4] } },
    6: { s in zip(s[0], s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4, $5] } },
    7: { s in zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5, $6] } },
  ]

  @Test(arguments: 2...7)
  func combineLatestPassesTheLatestValueOfEachSignalInOrder(count: Int) throws {
    let subjects = (0..<count).map { _ in Subject<Int, TestFailure>() }
    let form = try #require(Self.latest[count])
    let seen = form(subjects.map(\.signal)).recorded()
    for (index, subject) in subjects.enumerated() { subject.send(index) }
    subjects[count - 1].send(10)
    subjects[0].send(20)
    var expected = [Array(0..<count)]
    expected.append(Array(0..<(count - 1)) + [10])
    expected.append([20] + Array(1..<(count - 1)) + [10])
    #expect(seen.values == expected)
    for subject in subjects { subject.complete() }
    #expect(seen.events.last == .completed)
  }

  @Test(arguments: 2...7)
  func zipPassesOneValueOfEachSignalInOrder(count: Int) throws {
    let subjects = (0..<count).map { _ in Subject<Int, TestFailure>() }
    let form = try #require(Self.zipped[count])
    let seen = form(subjects.map(\.signal)).recorded()
    for round in [0, 100] {
      for (index, subject) in subjects.enumerated().reversed() { subject.send(round + index) }
    }
    subjects[0].send(7)
    #expect(seen.values == [Array(0..<count), (0..<count).map { 100 + $0 }])
    subjects[1].complete()
    #expect(seen.events.last == .completed)
  }

  @Test(arguments: 2...7)
  func aFailureOfTheLastSignalIsForwardedAtOnce(count: Int) throws {
    for form in [Self.latest[count], Self.zipped[count]] {
      let form = try #require(form)
      let subjects = (0..<count).map { _ in Subject<Int, TestFailure>() }
      let seen = form(subjects.map(\.signal)).recorded()
      for (index, subject) in subjects.dropLast().enumerated() { subject.send(index) }
      subjects[count - 1].fail(TestFailure(code: 4))
      #expect(seen.events == [.failed(TestFailure(code: 4))])
    }
  }
}
