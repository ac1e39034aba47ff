import Reactive
import ReactiveTesting
import Testing

@Suite struct ReplaceFailureTests {
  @Test(
    arguments: [
      ("-1-2-#", "-1-2-(9|)"),
      ("#", "(9|)"),
      ("-1-|", "-1-|"),
    ] as [(Marbles, Marbles)]
  )
  func aValueReplacesTheFailure(source: Marbles, expected: Marbles) {
    expectMarbles(source, expected) { $0.replaceFailure(with: "9") }
  }

  @Test func disposalFromInsideTheValuePreventsCompletion() {
    let source = Subject<Int, TestFailure>()
    let disposable = SerialDisposable()
    let seen = Recorder<Int, Never>()
    disposable.inner = source.signal.replaceFailure(with: 9).subscribe(
      next: { value in
        seen.next(value)
        disposable.dispose()
      },
      completed: { seen.complete() }
    )
    source.fail(TestFailure())
    #expect(seen.events == [.next(9)])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("replaceFailure(with:)", .handlesFailure) { $0.replaceFailure(with: 9) }
  }
}
