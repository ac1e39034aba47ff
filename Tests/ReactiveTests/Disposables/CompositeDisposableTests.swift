import Reactive
import ReactiveTesting
import Testing

@Suite struct CompositeDisposableTests {
  @Test func disposesInTheOrderOfInsertion() {
    let order = Recorder<Int, Never>()
    let all = CompositeDisposable([ActionDisposable { order.next(0) }])
    for number in 1..<50 { all.add { order.next(number) } }
    all.dispose()
    all.dispose()
    #expect(order.values == Array(0..<50))
    #expect(all.isDisposed)
    #expect(all.count == 0)
  }

  @Test func theOrderSurvivesRemoval() {
    let order = Recorder<Int, Never>()
    let all = CompositeDisposable()
    let members = (0..<100).map { number in all.add { order.next(number) } }
    for number in 0..<100 where number % 3 != 0 { all.remove(members[number]) }
    all.add { order.next(100) }
    all.dispose()
    #expect(order.values == (0..<100).filter { $0 % 3 == 0 } + [100])
  }

  @Test func aDisposableAddedAfterDisposalIsDisposedOfAtOnce() {
    let calls = Counter()
    let all = CompositeDisposable()
    all.dispose()
    all.add { calls.add() }
    all.add(ActionDisposable { calls.add() })
    #expect(calls.value == 2)
    #expect(all.count == 0)
  }

  @Test func aRemovedDisposableIsNotDisposedOf() {
    let calls = Counter()
    let all = CompositeDisposable()
    let one = all.add { calls.add() }
    all.remove(one)
    all.remove(one)
    all.dispose()
    #expect(calls.value == 0)
  }

  @Test func aDisposableAddedTwiceIsHeldOnce() {
    let all = CompositeDisposable()
    let one = ActionDisposable {}
    all.add(one)
    all.add(one)
    #expect(all.count == 1)
  }

  @Test func membersMayAddAndDisposeWhileItDisposes() {
    let order = Recorder<String, Never>()
    let all = CompositeDisposable()
    all.add {
      order.next("first")
      all.dispose()
      all.add { order.next("late") }
    }
    all.add { order.next("second") }
    all.dispose()
    #expect(order.values == ["first", "late", "second"])
  }

  @Test func aDisposableThatHasEndedIsNotHeld() {
    let all = CompositeDisposable([BooleanDisposable(isDisposed: true)])
    #expect(all.count == 0)
  }

  @Test func endedMembersAreReleasedAndTheOthersKeepTheirOrder() {
    let order = Recorder<Int, Never>()
    let lives = LifeCount()
    let all = CompositeDisposable()
    for number in 0..<1_000 {
      if number % 100 == 0 {
        all.add { order.next(number) }
      } else {
        all.add { [token = lives.token()] in token.touch() }.dispose()
      }
    }
    #expect(all.count < 100)
    #expect(lives.count == 0)
    all.dispose()
    #expect(order.values == Array(stride(from: 0, to: 1_000, by: 100)))
  }

  @Test(.tags(.stress)) func everyMemberIsDisposedOfOnce() {
    for _ in 0..<scaledCount(200) {
      let all = CompositeDisposable()
      let calls = Counter()
      onPlainThreads(4) { index in
        if index == 0 { return all.dispose() }
        for _ in 0..<20 { all.add { calls.add() } }
      }
      #expect(calls.value == 60)
    }
  }

  @Test(.tags(.stress)) func noMemberIsLostWhileEndedMembersAreRemoved() {
    for _ in 0..<scaledCount(100) {
      let all = CompositeDisposable()
      let members = (0..<8).map { _ in (0..<200).map { _ in BooleanDisposable() } }
      onPlainThreads(8) { index in
        for (number, member) in members[index].enumerated() {
          all.add(member)
          if number % 3 == 0 { member.dispose() }
          if number % 50 == 1 { all.remove(member) }
        }
      }
      all.dispose()
      for (number, member) in members.joined().enumerated() {
        #expect(member.isDisposed == ((number % 200) % 50 != 1 || (number % 200) % 3 == 0))
      }
    }
  }

  @Test func acceptsOptionalDisposablesInTheOrderOfInsertion() {
    let order = Recorder<String, Never>()
    let nothing: (any Disposable)? = nil
    let composite = CompositeDisposable([ActionDisposable { order.next("first") }, nil])
    composite += ActionDisposable { order.next("second") }
    composite += nothing
    composite += { order.next("third") }
    composite.add(nothing)
    #expect(composite.count == 3)
    composite.dispose()
    #expect(order.values == ["first", "second", "third"])
    composite += { order.next("late") }
    #expect(order.values.last == "late")
  }
}
