import Reactive
import ReactiveTesting
import ReactiveTrace

extension EndCauseTests {
  /// Code to record, and the expected text of each end in its recording.
  struct Case: Sendable {
    var name: String
    var ends: [String]
    var run: @Sendable () -> Void

    init(_ name: String, _ ends: [String], _ run: @escaping @Sendable () -> Void) {
      self.name = name
      self.ends = ends
      self.run = run
    }
  }

  /// Subscribes, sends values, and retains the subject, so that nothing ends for another reason.
  static func sends(
    _ values: [Int],
    _ make: (Signal<Int, Refused>) -> Signal<some Sendable, Refused>
  ) {
    let subject = Subject<Int, Refused>()
    make(subject.signal).subscribe(failed: { _ in })
    for value in values { subject.send(value) }
    withExtendedLifetime(subject) {}
  }

  struct Refused: Error {}

  /// The expected ends if an operator needs no more values: it cancels its source, then completes.
  static func enough(_ name: String) -> [String] {
    [
      "Subject cancelled: operator \(name)", "\(name) completed: event \(name)",
      "subscribe completed: event \(name)",
    ]
  }

  static let operators: [Case] = [
    Case("take", enough("take")) { sends([1, 2]) { $0.take(2) } },
    Case("take(while:)", enough("take(while:)")) { sends([1, 2]) { $0.take(while: { $0 < 2 }) } },
    Case("output(in:)", enough("output(in:)")) { sends([1, 2]) { $0.output(in: 0..<2) } },
    Case("element(at:)", enough("element(at:)")) { sends([1, 2]) { $0.element(at: 1) } },
    Case("first(where:)", enough("first(where:)")) { sends([1, 2]) { $0.first { $0 == 2 } } },
    Case("contains", enough("contains")) { sends([1, 2]) { $0.contains(2) } },
    Case("allSatisfy", enough("allSatisfy")) { sends([1, 2]) { $0.allSatisfy { $0 < 2 } } },
    Case("isEmpty", enough("isEmpty")) { sends([1]) { $0.isEmpty() } },
    Case(
      "single",
      [
        "Subject cancelled: operator single", "single failed: event single",
        "subscribe failed: event single",
      ]
    ) {
      sends([1, 2]) { $0.single { _ in Refused() } }
    },
    Case(
      "a chain above an operator",
      [
        "Subject cancelled: operator take", "filter cancelled: operator take",
        "skip cancelled: operator take", "map cancelled: operator take",
        "take completed: event take", "subscribe completed: event take",
      ]
    ) {
      sends([1, 2]) { $0.filter { $0 > 0 }.skip(0).map { $0 }.take(2) }
    },
    Case("switchToLatest", ["interval cancelled: operator flatMapLatest"]) {
      let time = TestScheduler()
      let subject = Subject<Int, Never>()
      subject.signal.flatMapLatest { _ in .interval(time.frame, on: time) }.subscribe()
      subject.send(1)
      subject.send(2)
      withExtendedLifetime(subject) {}
    },
    Case("amb", ["Subject cancelled: operator amb"]) {
      let (one, other) = (Subject<Int, Never>(), Subject<Int, Never>())
      Signal.amb([one.signal, other.signal]).subscribe()
      one.send(1)
      withExtendedLifetime((one, other)) {}
    },
    Case(
      "share",
      [
        "Subject cancelled: operator share", "share cancelled: operator share",
        "share cancelled: disposed", "subscribe cancelled: disposed",
      ]
    ) {
      let subject = Subject<Int, Never>()
      let disposable = subject.signal.share().subscribe()
      disposable.dispose()
      withExtendedLifetime(subject) {}
    },
    Case("skip(until:)", ["Subject cancelled: operator skip(until:)"]) {
      let (source, trigger) = (Subject<Int, Never>(), Subject<Int, Never>())
      source.signal.skip(until: trigger.signal).subscribe()
      trigger.send(1)
      withExtendedLifetime((source, trigger)) {}
    },
    Case(
      "take(until:)",
      [
        "Subject cancelled: downstream take(until:)",
        "Subject cancelled: downstream take(until:)",
        "take(until:) completed: event take(until:)", "subscribe completed: event take(until:)",
      ]
    ) {
      let (source, trigger) = (Subject<Int, Never>(), Subject<Int, Never>())
      source.signal.take(until: trigger.signal).subscribe()
      trigger.send(1)
      withExtendedLifetime((source, trigger)) {}
    },
    Case(
      "timeout",
      [
        "Subject cancelled: downstream timeout(after:)",
        "timeout(after:) failed: event timeout(after:)", "subscribe failed: event timeout(after:)",
      ]
    ) {
      let time = TestScheduler()
      let subject = Subject<Int, Refused>()
      subject.signal.timeout(after: time.frames(3), on: time, failingWith: Refused())
        .subscribe(failed: { _ in })
      time.advance(by: time.frames(5))
      withExtendedLifetime(subject) {}
    },
    Case(
      "zip",
      [
        "Subject completed: event Subject", "Subject cancelled: downstream zip",
        "zip completed: event zip", "subscribe completed: event zip",
      ]
    ) {
      let (one, other) = (Subject<Int, Never>(), Subject<Int, Never>())
      zip(one.signal, other.signal).subscribe()
      one.complete()
      withExtendedLifetime((one, other)) {}
    },
  ]

  static let others: [Case] = [
    Case(
      "the program's dispose",
      [
        "Subject cancelled: disposed", "map cancelled: disposed", "subscribe cancelled: disposed",
      ]
    ) {
      let subject = Subject<Int, Never>()
      subject.signal.map { $0 }.subscribe().dispose()
      withExtendedLifetime(subject) {}
    },
    Case(
      "dispose, of what merges",
      [
        "interval cancelled: downstream flatMap", "Subject cancelled: downstream flatMap",
        "flatMap cancelled: disposed", "subscribe cancelled: disposed",
      ]
    ) {
      let time = TestScheduler()
      let subject = Subject<Int, Never>()
      let disposable = subject.signal.flatMap { _ in Signal.interval(time.frame, on: time) }
        .subscribe()
      subject.send(1)
      disposable.dispose()
      withExtendedLifetime(subject) {}
    },
    Case(
      "a bag",
      ["Subject cancelled: owner DisposableBag", "subscribe cancelled: owner DisposableBag"]
    ) {
      let subject = Subject<Int, Never>()
      var bag: DisposableBag? = DisposableBag()
      if let bag { subject.signal.subscribe().store(in: bag) }
      bag = nil
      withExtendedLifetime(subject) {}
    },
    Case(
      "a composite that is in a bag",
      [
        "Subject cancelled: owner CompositeDisposable",
        "subscribe cancelled: owner CompositeDisposable",
      ]
    ) {
      let subject = Subject<Int, Never>()
      let (bag, inner) = (DisposableBag(), CompositeDisposable())
      inner.add(subject.signal.subscribe())
      inner.store(in: bag)
      bag.empty()
      withExtendedLifetime(subject) {}
    },
    Case(
      "a lifetime",
      ["Subject cancelled: owner Lifetime", "subscribe cancelled: owner Lifetime"]
    ) {
      let subject = Subject<Int, Never>()
      let token = Lifetime.Token()
      token.lifetime.add(subject.signal.subscribe())
      token.dispose()
      withExtendedLifetime(subject) {}
    },
    Case(
      "take(during:)",
      [
        "Lifetime completed: event Lifetime", "Subject owner gone: operator take(during:)",
        "take(during:) completed: event take(during:)",
        "subscribe completed: event take(during:)",
      ]
    ) {
      let subject = Subject<Int, Never>()
      let token = Lifetime.Token()
      subject.signal.take(during: token.lifetime).subscribe()
      token.dispose()
      withExtendedLifetime(subject) {}
    },
    Case(
      "completion of the source",
      [
        "Subject completed: event Subject", "map completed: event Subject",
        "subscribe completed: event Subject",
      ]
    ) {
      let subject = Subject<Int, Never>()
      subject.signal.map { $0 }.subscribe()
      subject.complete()
    },
    Case(
      "failure of the source",
      [
        "Subject failed: event Subject", "map failed: event Subject",
        "subscribe failed: event Subject",
      ]
    ) {
      let subject = Subject<Int, Refused>()
      subject.signal.map { $0 }.subscribe(failed: { _ in })
      subject.fail(Refused())
    },
    Case(
      "release of the subject",
      ["Subject source gone: event Subject", "subscribe source gone: event Subject"]
    ) {
      var subject: Subject<Int, Never>? = Subject()
      _ = subject?.signal.subscribe()
      subject = nil
    },
    Case(
      "release of the last reference",
      ["Subject cancelled: released", "values cancelled: released"]
    ) {
      let subject = Subject<Int, Never>()
      _ = subject.signal.values.makeAsyncIterator()
      withExtendedLifetime(subject) {}
    },
    Case(
      "a source that forgets whom it tells",
      ["create source gone: event create", "subscribe source gone: event create"]
    ) {
      Signal<Int, Never>.create { _ in }.subscribe()
    },
  ]
}
