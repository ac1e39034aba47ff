import Reactive
import Synchronization

/// A recursive use of the library, which has to end correctly at any depth.
struct RecursiveForm: Sendable {
  let name: String
  let run: @Sendable (_ levels: Int) -> Void

  static var all: [RecursiveForm] { signals + inside + values + disposables }

  private static func check(_ isRight: Bool, _ name: String) {
    precondition(isRight, "'\(name)' came to a wrong end")
  }
}

private struct Refusal: Error {}

/// The numbers of values and of completions that a subscription has received.
private final class EventCounts: Sendable {
  private let values = Atomic(0)
  private let ends = Atomic(0)

  func add() { values.wrappingAdd(1, ordering: .relaxed) }
  func end() { ends.wrappingAdd(1, ordering: .relaxed) }
  func isComplete(_ count: Int) -> Bool {
    values.load(ordering: .relaxed) == count && ends.load(ordering: .relaxed) == 1
  }
}

extension RecursiveForm {
  /// A form whose signal sends `count` values and completes.
  private static func signal(
    _ name: String,
    count: @escaping @Sendable (_ levels: Int) -> Int = { _ in 1 },
    _ make: @escaping @Sendable (_ levels: Int) -> Signal<Int, Refusal>
  ) -> RecursiveForm {
    RecursiveForm(name: name) { levels in
      let seen = EventCounts()
      make(levels)
        .subscribe(next: { _ in seen.add() }, failed: { _ in }, completed: { seen.end() })
      check(seen.isComplete(count(levels)), name)
    }
  }

  private typealias Next = @Sendable (_ left: Int) -> Signal<Int, Refusal>

  /// A form whose levels `level` makes: it gets the number of levels left, and a function that
  /// makes the next level.
  private static func recursion(
    _ name: String,
    count: @escaping @Sendable (_ levels: Int) -> Int = { _ in 1 },
    _ level: @escaping @Sendable (_ left: Int, _ next: @escaping Next) -> Signal<Int, Refusal>
  ) -> RecursiveForm {
    signal(name, count: count) { levels in
      @Sendable func descend(_ left: Int) -> Signal<Int, Refusal> {
        left == 0 ? .just(7) : level(left - 1) { descend($0) }
      }
      return descend(levels)
    }
  }

  private static func deferred(_ left: Int, _ next: @escaping Next) -> Signal<Int, Refusal> {
    .deferred { next(left) }
  }

  /// Signals that follow a signal that has ended, or replace it.
  fileprivate static var signals: [RecursiveForm] {
    [
      recursion("concat") { .empty().concat(deferred($0, $1)) },
      recursion("append") { .empty().append(deferred($0, $1)) },
      recursion("then") { .just($0).then(deferred($0, $1)) },
      recursion("prepend") { deferred($0, $1).prepend(.empty()) },
      recursion("catch") { left, next in .failed(Refusal()).catch { _ in next(left) } },
      signal("repeat", count: { $0 }) { .just(1).repeat($0) },
      signal("retry", count: { $0 + 1 }) { levels in
        let tries = Atomics()
        return Signal<Int, Refusal>.just(1)
          .concat(.deferred { tries.add() > levels ? .empty() : .failed(Refusal()) })
          .retry()
      },
      signal("expand", count: { $0 + 1 }) { levels in
        .just(0).expand { $0 < levels ? .just($0 + 1) : .empty() }
      },
      RecursiveForm(name: "subscribe in completed") { levels in
        let seen = EventCounts()
        @Sendable func again(_ left: Int) {
          Signal<Int, Never>.just(left).subscribe(
            next: { _ in seen.add() },
            completed: { left == 1 ? seen.end() : again(left - 1) }
          )
        }
        again(levels)
        check(seen.isComplete(levels), "subscribe in completed")
      },
    ]
  }

  /// Signals that are subscribed to by an operator of the level above.
  fileprivate static var inside: [RecursiveForm] {
    [
      recursion("flatMap") { left, next in .just(left).flatMap { next($0) } },
      recursion("concatMap") { left, next in .just(left).concatMap { next($0) } },
      recursion("flatMapLatest") { left, next in .just(left).flatMapLatest { next($0) } },
      recursion("flatMapFirst") { left, next in .just(left).flatMapFirst { next($0) } },
      recursion("map, switchToLatest") { left, next in
        .just(left).map { next($0) }.switchToLatest()
      },
      recursion("map, concat") { left, next in .just(left).map { next($0) }.concat() },
      recursion("flatMap, concat", count: { $0 + 1 }) { left, next in
        .just(left).flatMap { .just($0).concat(next($0)) }
      },
      recursion("concatMap, concat", count: { $0 + 1 }) { left, next in
        .just(left).concatMap { .just($0).concat(next($0)) }
      },
      recursion("flatMapLatest, concat", count: { $0 + 1 }) { left, next in
        .just(left).flatMapLatest { .just($0).concat(next($0)) }
      },
      recursion("flatMapFirst, append", count: { $0 + 1 }) { left, next in
        .just(left).flatMapFirst { .just($0).append(next($0)) }
      },
      recursion("concatMap, flatMapLatest") { left, next in
        left % 2 == 0 ? .just(left).concatMap { next($0) } : .just(left).flatMapLatest { next($0) }
      },
      signal("concat on the left", count: { $0 }) { levels in
        var chain = Signal<Int, Refusal>.just(0)
        for number in 1..<levels { chain = chain.concat(.just(number)) }
        return chain
      },
      RecursiveForm(name: "pages on a scheduler") { levels in
        let pages = Pages(levels)
        pages.run()
        check(pages.seen == levels, "pages on a scheduler")
      },
    ]
  }

  /// Chains that are read or released, and through which no values are sent.
  fileprivate static var values: [RecursiveForm] {
    [
      RecursiveForm(name: "LazyList of maps") { levels in
        var list = LazyList.just(1)
        for _ in 0..<levels { list = list.map { $0 + 1 } }
        check(list.head == levels + 1, "LazyList of maps")
      },
      RecursiveForm(name: "properties, read") { levels in
        let base = MutableProperty(1)
        var chain = base.readOnly
        for _ in 0..<levels { chain = chain.map { $0 + 1 } }
        base.value = 2
        check(chain.value == levels + 2, "properties, read")
      },
      RecursiveForm(name: "properties, release") { levels in
        var chain = MutableProperty(1).readOnly
        for _ in 0..<levels { chain = chain.map { $0 + 1 } }
      },
      RecursiveForm(name: "properties, combined") { levels in
        let base = MutableProperty(1)
        var chain = base.readOnly
        for _ in 0..<levels { chain = chain.combineLatest(with: base).map { $0 &+ $1 } }
        check(chain.value == levels + 1, "properties, combined")
      },
      RecursiveForm(name: "forwarded subjects, release") { levels in
        let last = Subject<Int, Never>()
        let seen = EventCounts()
        last.signal.subscribe(completed: { seen.end() })
        var first = last
        for _ in 0..<levels {
          let next = Subject<Int, Never>()
          next.signal.subscribe(first)
          first = next
        }
      },
      RecursiveForm(name: "operators, release") { levels in
        var chain = Signal<Int, Never>.just(1)
        for index in 0..<levels {
          switch index % 4 {
          case 0: chain = chain.map { $0 }
          case 1: chain = chain.share()
          case 2: chain = chain.concat(.never())
          default: chain = chain.concatMap { .just($0) }
          }
        }
      },
    ]
  }

  fileprivate static var disposables: [RecursiveForm] {
    [
      nested("SerialDisposable") { SerialDisposable($0) },
      nested("SingleAssignmentDisposable") {
        let one = SingleAssignmentDisposable()
        one.set($0)
        return one
      },
      nested("CompositeDisposable") { CompositeDisposable([$0]) },
      nested("ScopedDisposable") { ScopedDisposable($0) },
      nested("RefCountDisposable") { RefCountDisposable($0) },
      nested("ActionDisposable") { inner in ActionDisposable { inner.dispose() } },
      nested("ScheduledDisposable") { ScheduledDisposable($0, on: .immediate) },
    ].flatMap(\.self)
  }

  private static func nested(
    _ name: String,
    _ wrap: @escaping @Sendable (any Disposable) -> any Disposable
  ) -> [RecursiveForm] {
    @Sendable func chain(_ levels: Int, _ innermost: any Disposable) -> any Disposable {
      var chain = innermost
      for _ in 0..<levels { chain = wrap(chain) }
      return chain
    }
    return [
      RecursiveForm(name: "\(name), release") { _ = chain($0, BooleanDisposable()) },
      RecursiveForm(name: "\(name), dispose") { levels in
        let innermost = BooleanDisposable()
        chain(levels, innermost).dispose()
        check(innermost.isDisposed, name)
      },
    ]
  }
}

/// Pages that arrive one after another, each in a separate call, like the answers of a server.
private final class Pages: Sendable {
  private let count = Atomic(0)
  private let answers = Subject<Int, Refusal>()
  private let levels: Int
  private let isOver = Atomic(false)

  init(_ levels: Int) { self.levels = levels }

  var seen: Int { isOver.load(ordering: .relaxed) ? count.load(ordering: .relaxed) : -1 }

  private func page(_ number: Int) -> Signal<Int, Refusal> {
    answers.signal.take(1).concatMap { [self] number in
      Signal<Int, Refusal>.just(number)
        .concat(number == levels ? .empty() : page(number + 1))
    }
  }

  func run() {
    page(1).subscribe(
      next: { _ in self.count.wrappingAdd(1, ordering: .relaxed) },
      failed: { _ in },
      completed: { self.isOver.store(true, ordering: .relaxed) }
    )
    for number in 1...levels { answers.send(number) }
  }
}
