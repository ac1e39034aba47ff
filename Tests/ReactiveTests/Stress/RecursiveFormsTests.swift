import Reactive
import ReactiveTesting
import Testing

/// Recursive signals and long chains of references do not grow the stack, however deep they are
/// (contract rule 10).
///
/// Each test runs on a thread with a stack of 512 KiB, which would overflow at a depth of 5000 if
/// each level took stack. `Scripts/depth` goes deeper.
@Suite(.tags(.stress)) struct RecursiveFormsTests {
  private static let depth = scaledDepth(5_000)

  /// Runs `body` as work of a scheduler, so that cold signals start immediately.
  private static func onASmallStack(_ body: @escaping @Sendable () -> Void) {
    ReactiveTests.onASmallStack { ImmediateScheduler.shared.schedule { body() } }
  }

  // MARK: Inner signals

  private typealias Next = @Sendable (Int) -> Signal<Int, TestFailure>

  private static let flattening = [
    "concatMap", "flatMapLatest", "flatMapFirst", "switchToLatest", "concat()", "limit",
  ]

  /// Applies the operator of this name; all but `flatMap` subscribe to one inner signal at a time.
  private static func level(
    _ name: String,
    _ source: Signal<Int, TestFailure>,
    _ next: @escaping Next
  ) -> Signal<Int, TestFailure> {
    switch name {
    case "flatMap": source.flatMap(next)
    case "concatMap": source.concatMap(next)
    case "flatMapLatest": source.flatMapLatest(next)
    case "flatMapFirst": source.flatMapFirst(next)
    case "switchToLatest": source.map(next).switchToLatest()
    case "concat()": source.map(next).concat()
    default: source.flatMap(limit: 1) { .empty().concat(next($0)) }
    }
  }

  private static func descent(_ name: String, _ left: Int) -> Signal<Int, TestFailure> {
    left == 0 ? .from([7, 8]) : level(name, .just(left - 1)) { descent(name, $0) }
  }

  @Test(arguments: flattening.dropLast())
  func aSignalThatIsItsOwnInnerSignalDoesNotGrowTheStack(_ name: String) {
    let seen = Recorder<Int, TestFailure>()
    Self.onASmallStack { seen.record(Self.descent(name, Self.depth)) }
    #expect(seen.events == [.next(7), .next(8), .completed])
  }

  private static func pages(_ name: String, _ number: Int) -> Signal<Int, TestFailure> {
    level(name, .just(number)) { number in
      .just(number).concat(number == depth ? .empty() : pages(name, number + 1))
    }
  }

  @Test(arguments: flattening.dropLast() + ["flatMap"])
  func pagesThatFollowEachOtherDoNotGrowTheStack(_ name: String) {
    let seen = Recorder<Int, TestFailure>()
    Self.onASmallStack { seen.record(Self.pages(name, 1)) }
    #expect(seen.values == Array(1...Self.depth))
    #expect(seen.isCompleted)
  }

  @Test func pagesThatArriveLaterDoNotGrowTheStack() {
    let answers = Subject<Int, TestFailure>()
    @Sendable func page(_ number: Int) -> Signal<Int, TestFailure> {
      answers.signal.take(1).concatMap { number in
        Signal<Int, TestFailure>.just(number)
          .append(number == Self.depth ? .empty() : .deferred { page(number + 1) })
      }
    }
    let seen = Recorder<Int, TestFailure>()
    Self.onASmallStack {
      seen.record(page(1))
      for number in 1...Self.depth { answers.send(number) }
    }
    #expect(seen.values == Array(1...Self.depth))
    #expect(seen.isCompleted)
  }

  @Test func aMixtureOfOperatorsDoesNotGrowTheStack() {
    @Sendable func descent(_ left: Int) -> Signal<Int, TestFailure> {
      let names = Self.flattening
      return left == 0
        ? .just(7) : Self.level(names[left % (names.count - 1)], .just(left - 1)) { descent($0) }
    }
    let seen = Recorder<Int, TestFailure>()
    Self.onASmallStack { seen.record(descent(Self.depth)) }
    #expect(seen.events == [.next(7), .completed])
  }

  /// A level that has sent all its events is not retained.
  @Test(arguments: flattening.dropLast())
  func aFinishedLevelIsReleased(_ name: String) {
    let lives = LifeCount()
    let most = Counter()
    @Sendable func descent(_ left: Int) -> Signal<Int, TestFailure> {
      let token = lives.token()
      if left == 0 {
        most.add(lives.count)
        return .just(7)
      }
      return Self.level(name, .just(left - 1)) { [token] left in
        token.touch()
        return descent(left)
      }
    }
    Self.onASmallStack { _ = descent(1000).subscribe(next: { _ in }, failed: { _ in }) }
    #expect((1...100).contains(most.value))
    #expect(lives.count == 0)
  }

  @Test func leftNestedConcatDoesNotGrowTheStack() {
    let seen = Recorder<Int, Never>()
    Self.onASmallStack {
      seen.record((1...Self.depth).reduce(.just(0)) { $0.concat(.just($1)) })
    }
    #expect(seen.values == Array(0...Self.depth))
    #expect(seen.isCompleted)
  }

  @Test(arguments: flattening.dropLast())
  func tracingDoesNotGrowTheStack(_ name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let seen = Recorder<Int, TestFailure>()
      RecursiveFormsTests.onASmallStack {
        seen.record(RecursiveFormsTests.descent(name, RecursiveFormsTests.depth / 2))
      }
      #expect(seen.events == [.next(7), .next(8), .completed])
    }
  }

  // MARK: Subscribing and disposing

  @Test func subscribingFromTheHandlerOfTheEndDoesNotGrowTheStack() {
    let seen = Counter()
    @Sendable func again(_ left: Int) {
      Signal<Int, Never>.just(1)
        .subscribe(next: { seen.add($0) }, completed: { if left > 1 { again(left - 1) } })
    }
    Self.onASmallStack {
      again(Self.depth)
      // All subscriptions were made before the first call returned.
      #expect(seen.value == Self.depth)
    }
  }

  @Test func subscribingFromTheHandlerOfAValueDoesNotGrowTheStack() {
    let seen = Counter()
    let bag = DisposableBag()
    @Sendable func again(_ left: Int) {
      Signal<Int, Never>.just(1).merge(with: .never()).subscribe {
        seen.add($0)
        if left > 1 { again(left - 1) }
      }.store(in: bag)
    }
    Self.onASmallStack { again(Self.depth) }
    #expect(seen.value == Self.depth)
    // Subscriptions that never end would outlive the test.
    bag.empty()
  }

  @Test func aPostponedStartThatIsDisposedOfDoesNotHappen() {
    let seen = Counter()
    let late = Counter()
    @Sendable func again(_ left: Int) {
      let one = Signal<Int, Never>.just(left).subscribe(
        next: { _ in seen.add() },
        completed: { if left > 1 { again(left - 1) } }
      )
      // A subscription that has not ended here has not started yet.
      if !one.isDisposed {
        late.add()
        one.dispose()
      }
    }
    Self.onASmallStack { again(Self.depth) }
    #expect(late.value == 1)
    #expect(seen.value < Self.depth)
  }

  private static let wrappers:
    [(name: String, wrap: @Sendable (any Disposable) -> any Disposable)] = [
      ("SerialDisposable", { SerialDisposable($0) }),
      (
        "SingleAssignmentDisposable",
        {
          let one = SingleAssignmentDisposable()
          one.set($0)
          return one
        }
      ),
      ("CompositeDisposable", { CompositeDisposable([$0]) }),
      ("ScopedDisposable", { ScopedDisposable($0) }),
      ("RefCountDisposable", { RefCountDisposable($0) }),
      ("ActionDisposable", { inner in ActionDisposable { inner.dispose() } }),
      ("ScheduledDisposable", { ScheduledDisposable($0, on: .immediate) }),
    ]

  private static func nest(_ kind: Int, _ innermost: any Disposable) -> any Disposable {
    (0..<depth).reduce(innermost) { inner, _ in wrappers[kind].wrap(inner) }
  }

  @Test(arguments: wrappers.indices)
  func disposablesInDisposablesAreDisposedOf(_ kind: Int) {
    let innermost = BooleanDisposable()
    Self.onASmallStack {
      Self.nest(kind, innermost).dispose()
      #expect(innermost.isDisposed)
    }
  }

  @Test(arguments: wrappers.indices)
  func disposablesInDisposablesAreReleased(_ kind: Int) {
    let gone = Latch()
    Self.onASmallStack {
      let note = ReleaseNote { gone.signal() }
      _ = Self.nest(kind, ActionDisposable { withExtendedLifetime(note) {} })
    }
    #expect(gone.wait())
  }

  /// Releases a chain of subjects, each retained by the subscription to the one made after it.
  private static func release<One: EventHub<Int, Never>>(
    _ ended: Latch,
    _ make: @escaping @Sendable () -> One
  ) {
    onASmallStack {
      var first = make()
      first.signal.doDisposed { ended.signal() }.subscribe()
      for _ in 0..<depth {
        let next = make()
        next.signal.subscribe(first)
        first = next
      }
    }
  }

  @Test func subjectsThatAreForwardedToSubjectsEndInTurn() {
    let ended = Latch(3)
    Self.release(ended) { Subject<Int, Never>() }
    Self.release(ended) { ReplaySubject<Int, Never>() }
    Self.release(ended) { AsyncSubject<Int, Never>() }
    #expect(ended.wait())
  }

  @Test func observersThatHoldOthersEndInTurn() {
    let ended = Latch()
    Self.onASmallStack {
      let held = Box<Observer<Int, Never>>()
      Signal<Int, Never>.create { held.value = $0 }.doDisposed { ended.signal() }.subscribe()
      for _ in 0..<Self.depth {
        let former = held.value
        Signal<Int, Never>.create { held.value = $0 }
          .subscribe { former?.send($0) }
      }
      held.value = nil
    }
    #expect(ended.wait())
  }

  // MARK: Reading

  @Test func listsOfMapsAreEvaluatedAndReleased() {
    let head = Counter()
    Self.onASmallStack {
      let list = (0..<Self.depth).reduce(LazyList.just(1)) { list, _ in list.map { $0 + 1 } }
      head.add(list.head ?? 0)
      let pairs = (0..<Self.depth).reduce(LazyList.just(0)) { list, _ in
        list.zip(with: .just(1)).map { $0 + $1 }
      }
      head.add(pairs.head ?? 0)
      let unused = (0..<Self.depth).reduce(LazyList.just(1)) { list, _ in list.map { $0 + 1 } }
      _ = unused.tail
    }
    #expect(head.value == 2 * Self.depth + 1)
  }

  @Test func aChainOfPropertiesIsReadAndReleased() {
    let value = Counter()
    Self.onASmallStack {
      let base = MutableProperty(0)
      let chain = (0..<Self.depth).reduce(base.readOnly) { chain, _ in chain.map { $0 + 1 } }
      base.value = 2
      value.add(chain.value)
      let sum = (0..<Self.depth).reduce(base.readOnly) { chain, index in
        index % 2 == 0
          ? chain.combineLatest(with: base).map { $0 - $1 }
          : base.combineLatest(with: chain).map { $0 + $1 }
      }
      value.add(sum.value)
    }
    #expect(value.value == Self.depth + 2 + 2)
  }
}
