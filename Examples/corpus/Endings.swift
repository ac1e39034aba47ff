import Reactive
import ReactiveTrace
import Synchronization

/// A screen that passes one of its methods to `map`, and is thereby retained.
private final class Page: Sendable {
  private let bag = DisposableBag()
  private let title = Subject<String, Never>()

  func follow(_ numbers: Signal<Int, Never>) {
    numbers.map(text).subscribe { [title] in title.send($0) }.store(in: bag)
  }

  func close() { bag.empty() }

  private func text(_ number: Int) -> String { "page \(number)" }
}

/// Faulty and correct programs, mostly about something that should end.
extension Corpus {
  static let executions = [
    Program("executions-1", "execution-never-ends") {
      let places = BehaviorSubject<Int, Never>(1)
      let refresh = Command<Void, Int, Never> { _ in places.signal.map { $0 * 2 } }
      await every(80, times: 10) { _ in refresh.execute() }
      return (places, refresh)
    },
    Program("executions-2", "execution-never-ends") {
      // The service may answer more than once, so the signal does not complete.
      let asked = Mutex<[Int: @Sendable (Int) -> Void]>([:])
      let verify = Action<Int, Int, Never> { number in
        .create { observer in
          asked.withLock { $0[number] = { observer.send($0) } }
          QueueScheduler.background.schedule(after: .milliseconds(10)) {
            asked.withLock { $0[number] }?(number)
          }
        }
      }
      await every(250, times: 9) { verify.execute($0) }
      return (verify, asked.withLock { $0 })
    },
    Program("executions-3", nil) {
      let verify = Action<Int, Int, Never> { number in
        .create { observer in
          QueueScheduler.background.schedule(after: .milliseconds(10)) {
            observer.send(number)
            observer.complete()
          }
        }
      }
      await every(100, times: 12) { verify.execute($0) }
      return verify
    },
    Program("executions-4", nil) {
      let places = BehaviorSubject<Int, Never>(1)
      let refresh = Command<Void, Int, Never> { _ in places.signal.map { $0 * 2 }.take(1) }
      let follow = Command<Void, Int, Never> { _ in places.signal.map { $0 + 1 } }
      follow.execute()
      await every(80, times: 10) { _ in refresh.execute() }
      return (places, refresh, follow)
    },
    // `closed` sends nothing, so the inner signal that waits for it does not end, and later presses
    // do nothing.
    Program("executions-5", "execution-never-ends") {
      let (presses, closed) = (Subject<Int, Never>(), Subject<Void, Never>())
      let handle = presses.signal.flatMapFirst { number in
        number < 4
          ? Signal.timer(after: .milliseconds(10), on: .background).map { number }
          : closed.signal.map { number }.startWith(-number)
      }
      .deliver(on: .main).subscribe { _ in }
      await every(60, times: 20) { presses.send($0) }
      return (presses, closed, handle)
    },
    Program("executions-6", nil) {
      let (presses, closed) = (Subject<Int, Never>(), Subject<Void, Never>())
      let handle = presses.signal.flatMapFirst { number in
        number < 4
          ? Signal.timer(after: .milliseconds(10), on: .background).map { number }
          : closed.signal.map { number }.startWith(-number).take(1)
      }
      .deliver(on: .main).subscribe { _ in }
      // This interval is meant to run on after the first press.
      let clock = presses.signal.flatMapFirst { _ in
        Signal.interval(.milliseconds(30), on: QueueScheduler.background)
      }
      .subscribe { _ in }
      await every(60, times: 20) { presses.send($0) }
      return (presses, closed, handle, clock)
    },
    // The status never says that there is a connection, so nothing is ever saved.
    Program("executions-7", "executions-refused") {
      let status = MutableProperty(0)
      let isConnected = status.signal.map { $0 < 0 }.distinctUntilChanged()
      let save = Action<Int, Int, Never>(enabledIf: isConnected) { .just($0) }
      await every(60, times: 20) { number in
        status.value = number
        save.execute(number)
      }
      return (status, save)
    },
    // Nobody sets `agreed`.
    Program("executions-8", "executions-refused") {
      let (name, agreed) = (MutableProperty(""), MutableProperty(false))
      let isComplete = combineLatest(name.signal, agreed.signal).map { !$0.isEmpty && $1 }
      let order = Command<Int, Int, Never>(enabledIf: isComplete) { .just($0) }
      await every(60, times: 20) { number in
        name.value += "a"
        order.execute(number)
      }
      return (name, agreed, order)
    },
    Program("executions-9", nil) {
      let status = MutableProperty(0)
      let isConnected = status.signal.map { $0 % 5 == 4 }.distinctUntilChanged()
      let save = Action<Int, Int, Never>(enabledIf: isConnected) { .just($0) }
      await every(60, times: 20) { number in
        status.value = number
        save.execute(number)
      }
      return (status, save)
    },
    // A form that is filled in only after some presses, and a timer that saves if anything changed.
    Program("executions-10", nil) {
      let (name, changed) = (MutableProperty(""), MutableProperty(false))
      let order = Command<Int, Int, Never>(enabledIf: name.signal.map { $0.count > 6 }) {
        .just($0)
      }
      await every(60, times: 4) { order.execute($0) }
      await every(60, times: 10) { _ in name.value += "a" }
      order.execute(0)
      let save = Action<Int, Int, Never>(enabledIf: changed.signal) { .just($0) }
      await every(40, times: 15) { save.execute($0) }
      return (name, changed, order, save)
    },
  ]

  static let forms = [
    Program("forms-1", "inner-outlives-source") {
      await every(120, times: 6) { _ in
        let (typed, closed) = (Subject<Int, Never>(), Subject<Void, Never>())
        typed.signal.take(until: closed.signal)
          .flatMapLatest { _ in Signal.interval(.milliseconds(40), on: QueueScheduler.background) }
          .subscribe { _ in }
        for key in 0..<3 { typed.send(key) }
        closed.send()
      }
      await pause(700)
      return ()
    },
    Program("forms-2", "inner-outlives-source") {
      let prices = Subject<Int, Never>()
      let (typed, closed) = (Subject<Int, Never>(), Subject<Void, Never>())
      let handle = typed.signal.take(until: closed.signal).flatMap { key in
        prices.signal.map { $0 + key }
      }
      .subscribe { _ in }
      typed.send(1)
      closed.send()
      await every(40, times: 40) { prices.send($0) }
      return (prices, handle)
    },
    Program("forms-3", nil) {
      await every(120, times: 6) { _ in
        let (typed, closed) = (Subject<Int, Never>(), Subject<Void, Never>())
        typed.signal
          .flatMapLatest { _ in Signal.interval(.milliseconds(40), on: QueueScheduler.background) }
          .take(until: closed.signal)
          .subscribe { _ in }
        for key in 0..<3 { typed.send(key) }
        closed.send()
      }
      await pause(700)
      return ()
    },
    Program("forms-4", nil) {
      let prices = Subject<Int, Never>()
      let handle = Signal<Int, Never>.just(1).flatMap { key in prices.signal.map { $0 + key } }
        .subscribe { _ in }
      await every(40, times: 40) { prices.send($0) }
      return (prices, handle)
    },
  ]

  static let pages = [
    Program("pages-1", "kept-by-closure") {
      let numbers = Subject<Int, Never>()
      await every(60, times: 20) { number in
        Page().follow(numbers.signal)
        numbers.send(number)
      }
      return numbers
    },
    Program("pages-2", nil) {
      let numbers = Subject<Int, Never>()
      await every(60, times: 20) { number in
        let page = Page()
        page.follow(numbers.signal)
        numbers.send(number)
        page.close()
      }
      return numbers
    },
    Program("pages-3", "connection-without-subscriber") {
      await every(100, times: 10) { number in
        let presence = Signal.interval(.milliseconds(30), on: QueueScheduler.background)
          .map { $0 + number }.replayLazily(1)
        presence.subscribe { _ in }.dispose()
      }
      await pause(800)
      return ()
    },
    Program("pages-4", nil) {
      await every(100, times: 10) { number in
        let presence = Signal.interval(.milliseconds(30), on: QueueScheduler.background)
          .map { $0 + number }.share(replay: 1)
        presence.subscribe { _ in }.dispose()
      }
      await pause(800)
      return ()
    },
    Program("pages-5", "combined-of-nothing") {
      let lists = Subject<[Int], Never>()
      let handle = lists.signal
        .flatMapLatest { combineLatest($0.map { number in Signal<Int, Never>.just(number) }) }
        .subscribe { _ in }
      for list in [[1], [1, 2], [], [3], []] { lists.send(list) }
      await pause(200)
      return (lists, handle)
    },
    Program("pages-6", nil) {
      let lists = Subject<[Int], Never>()
      let handle = lists.signal
        .flatMapLatest {
          combineLatest($0.map { number in Signal<Int, Never>.just(number) }).defaultIfEmpty([])
        }
        .subscribe { _ in }
      for list in [[1], [1, 2], [], [3], []] { lists.send(list) }
      await pause(200)
      return (lists, handle)
    },
    Program("values-1", "same-value-again") {
      let seen = Subject<Int, Never>()
      let handle = seen.signal.map { $0 / 100 }.map { "theme \($0)" }.subscribe { _ in }
      await every(20, times: 60) { seen.send($0) }
      return (seen, handle)
    },
    Program("values-2", nil) {
      let seen = Subject<Int, Never>()
      let handle = seen.signal.map { $0 / 100 }.distinctUntilChanged().map { "theme \($0)" }
        .subscribe { _ in }
      await every(20, times: 60) { seen.send($0) }
      return (seen, handle)
    },
    Program("pages-7", "stall") {
      let letters = Subject<Int, Never>()
      let handle = letters.signal.groupBy { $0 % 4 }.concatMap { $0.signal.map { $0 + 1 } }
        .subscribe { _ in }
      await every(25, times: 50) { letters.send($0) }
      return (letters, handle)
    },
    Program("pages-8", nil) {
      let letters = Subject<Int, Never>()
      let handle = letters.signal.window(count: 5).concatMap { $0.map { $0 + 1 } }.subscribe { _ in
      }
      await every(25, times: 50) { letters.send($0) }
      return (letters, handle)
    },
    Program("pages-9", "combined-of-nothing") {
      let pages = Subject<Int, Never>()
      let handle = pages.signal
        .flatMapLatest { page in zip(Signal<Int, Never>.just(page), picture(of: page)) }
        .subscribe { _ in }
      for page in 0..<8 { pages.send(page) }
      await pause(200)
      return (pages, handle)
    },
    Program("pages-10", nil) {
      let pages = Subject<Int, Never>()
      let handle = pages.signal
        .flatMapLatest { page in
          zip(Signal<Int, Never>.just(page), picture(of: page).defaultIfEmpty("none"))
        }
        .subscribe { _ in }
      for page in 0..<8 { pages.send(page) }
      await pause(200)
      return (pages, handle)
    },
    Program("pages-11", "values-lost") {
      let pages = Subject<Int, Never>()
      let handle = pages.signal
        .flatMap { page in
          Signal<Int, Never>.just(page).withLatest(
            from: picture(of: 0).delay(.milliseconds(5), on: QueueScheduler.background)
          )
        }
        .subscribe { _ in }
      await every(20, times: 8) { pages.send($0) }
      return (pages, handle)
    },
    Program("pages-12", nil) {
      let pages = Subject<Int, Never>()
      let handle = pages.signal
        .flatMap { page in
          zip(
            Signal<Int, Never>.just(page),
            picture(of: 0).delay(.milliseconds(5), on: QueueScheduler.background)
          )
        }
        .subscribe { _ in }
      await every(20, times: 8) { pages.send($0) }
      return (pages, handle)
    },
  ]

  /// The picture of a page, which every third page does not have.
  private static func picture(of page: Int) -> Signal<String, Never> {
    page % 3 == 2 ? .empty() : .just("picture \(page)")
  }
}
