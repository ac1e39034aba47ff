import Reactive
import ReactiveTesting
import Testing

@Suite struct ForkJoinTests {
  @Test func sendsTheLastValuesWhenAllHaveCompleted() {
    expectMarbles("-1---2-|", "---3-----4-|", "-----------(A|)", where: ["A": "24"]) {
      forkJoin([$0, $1]).map { $0.joined() }
    }
  }

  @Test func completesAtOnceIfASignalHasNoValue() {
    expectMarbles("-1-----|", "---|", "---|") { forkJoin([$0, $1]).map { $0.joined() } }
    expectMarbles("-1-|", "-----|", "-----|") { forkJoin([$0, $1]).map { $0.joined() } }
  }

  @Test func aFailureIsForwardedAtOnce() {
    expectMarbles("-1-|", "-2---#", "-----#") { forkJoin([$0, $1]).map { $0.joined() } }
  }

  @Test func anEmptyListCompletes() {
    #expect(forkJoin([Signal<Int, Never>]()).recorded().events == [.completed])
  }

  @Test func twoAndThreeSignalsGiveTuples() {
    let number = Signal<Int, Never>.from([1, 2])
    let text = Signal<String, Never>.from(["a", "b"])
    let two = forkJoin(number, text).map { "\($0.0)\($0.1)" }.recorded()
    #expect(two.events == [.next("2b"), .completed])
    let three = forkJoin(number, text, number).map { "\($0.0)\($0.1)\($0.2)" }.recorded()
    #expect(three.events == [.next("2b2"), .completed])
  }

  @Test func aTransformTakesAnyNumberOfSignals() {
    let number = Signal<Int, Never>.from([1, 2])
    let seen = forkJoin(number, number, number, number, transform: { $0 + $1 + $2 + $3 }).recorded()
    #expect(seen.events == [.next(8), .completed])
  }

  @Test func disposalFromInsideTheValuePreventsCompletion() {
    let subject = Subject<Int, Never>()
    let disposable = SerialDisposable()
    let seen = Recorder<[Int], Never>()
    disposable.inner = forkJoin([subject.signal, .just(1)]).subscribe(
      next: { values in
        seen.next(values)
        disposable.dispose()
      },
      completed: { seen.complete() }
    )
    subject.send(5)
    subject.complete()
    #expect(seen.events == [.next([5, 1])])
  }

  @Test func theLastValuesAreFreed() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let subscription = forkJoin([subject.signal, .never()]).subscribe()
    subject.send(lives.token())
    subject.send(lives.token())
    #expect(lives.count == 1)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("forkJoin") { forkJoin([$0, $0]) }
    checkOperatorContract("forkJoin") { forkJoin($0, $0) }
    checkOperatorContract("forkJoin") { forkJoin($0, $0, $0) }
    checkOperatorContract("forkJoin") { forkJoin($0, .just(1), transform: { $0 + $1 }) }
  }
}
