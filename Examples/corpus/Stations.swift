import Reactive
import Synchronization

/// Answers after the given number of milliseconds.
private func ask(_ text: String, for milliseconds: Int = 30) -> Signal<String, Never> {
  .deferred {
    Signal.timer(after: .milliseconds(milliseconds), on: QueueScheduler(label: "server"))
      .map { text }
  }
}

/// Sends numbers at an interval, and fails after `count` of them.
private func line(after count: Int) -> Signal<Int, Refusal> {
  Signal.interval(.milliseconds(15), on: QueueScheduler(label: "line"))
    .tryMap { number throws(Refusal) in
      if number >= count { throw Refusal() }
      return number
    }
}

/// Reserves a place; the last place of every other round is refused.
private func place(_ round: Int, _ number: Int) -> Signal<Int, Refusal> {
  let isRefused = round.isMultiple(of: 2) && number == 3
  return Signal.timer(after: .milliseconds(isRefused ? 10 : 120), on: .background)
    .tryMap { _ throws(Refusal) in
      if isRefused { throw Refusal() }
      return number
    }
}

/// Asks at an interval, and keeps the latest answer.
private final class Poll: Sendable {
  let answer = MutableProperty("")

  func begin() -> any Disposable {
    Signal.interval(.milliseconds(20), on: .background)
      .flatMapFirst { ask("\($0)", for: 5) }
      .bind(to: answer)
  }
}

/// A form with a button that saves.
private final class Form: Sendable {
  let saved = MutableProperty(0)
  let save: Command<Int, Int, Never>

  init(isShown: Bool) {
    save = Command { [saved] number in
      let answer = ask("save").doNext { _ in saved.value = number }
      return isShown ? answer.flatMap { _ in saved.signal } : answer.map { _ in number }
    }
  }
}

/// A page that goes to targets; with `isTold`, each change of its address becomes a target again.
private final class Page: Sendable {
  private let address = MutableProperty(1)
  private let changes = Subject<Int, Never>()
  private let targets = Subject<Int, Never>()
  private let bag = DisposableBag()

  init(isTold: Bool) {
    targets.signal.flatMapLatest { ask("\($0)", for: 10).map(to: $0) }
      .subscribe { [address] in address.value = $0 }
      .store(in: bag)
    address.signal.subscribe { [changes] number in if isTold { changes.send(number) } }
      .store(in: bag)
    changes.signal.subscribe { [targets] in targets.send($0) }.store(in: bag)
  }

  func go(to number: Int) { targets.send(number) }
}

private final class Tally: Sendable {
  private let count = Mutex(0)

  func add() { count.withLock { $0 += 1 } }
}

/// A row that draws its text and picture on the main queue, but its header only if `isLed`.
private final class Row: Sendable {
  private let bag = DisposableBag()

  init(_ number: Int, _ drawn: Tally, isLed: Bool) {
    look(up: "text \(number)").deliver(on: .main).subscribe { _ in drawn.add() }.store(in: bag)
    look(up: "picture \(number)").deliver(on: .main).subscribe { _ in drawn.add() }
      .store(in: bag)
    let header = look(up: "header \(number)")
    (isLed ? header.deliver(on: .main) : header).subscribe { _ in drawn.add() }.store(in: bag)
  }

  private func look(up text: String) -> Signal<Int, Never> {
    Signal.timer(after: .milliseconds(10), on: .background).map { text.count }
  }
}

/// Programs that subscribe or make requests whenever something else has changed.
extension Corpus {
  static let stations = [
    Program("stations-1", "subscribed-per-value") {
      let (station, shown, bag) = (MutableProperty("York"), MutableProperty(""), DisposableBag())
      station.signal.subscribe { name in
        Signal.interval(.milliseconds(20), on: .background).map { "\(name) \($0)" }
          .subscribe { shown.value = $0 }
          .store(in: bag)
      }
      await every(200, times: 6) { station.value = "station \($0)" }
      return (station, shown, bag)
    },
    Program("stations-2", nil) {
      let (station, shown, bag) = (MutableProperty("York"), MutableProperty(""), DisposableBag())
      station.signal
        .flatMapLatest { name in
          Signal.interval(.milliseconds(20), on: .background).map { "\(name) \($0)" }
        }
        .subscribe { shown.value = $0 }
        .store(in: bag)
      await every(200, times: 6) { station.value = "station \($0)" }
      return (station, shown, bag)
    },
    Program("stations-3", "subscribed-per-value") {
      let (taps, news, bag) = (Subject<Int, Never>(), Subject<Int, Never>(), DisposableBag())
      taps.signal.subscribe { _ in news.signal.subscribe { _ in }.store(in: bag) }
      await every(120, times: 8) {
        taps.send($0)
        news.send($0)
      }
      return (taps, news, bag)
    },
    // Each tap subscribes to a different signal.
    Program("stations-4", nil) {
      let (taps, bag) = (Subject<Int, Never>(), DisposableBag())
      let news = (0..<8).map { _ in Subject<Int, Never>() }
      taps.signal.subscribe { news[$0].signal.subscribe { _ in }.store(in: bag) }
      await every(120, times: 8) { number in
        taps.send(number)
        for place in news.prefix(number + 1) { place.send(number) }
      }
      return (taps, news, bag)
    },
    Program("stations-5", "answers-overtake") {
      let (route, shown, bag) = (MutableProperty(0), MutableProperty(""), DisposableBag())
      route.signal.subscribe { number in
        ask("\(number)", for: number.isMultiple(of: 2) ? 10 : 150)
          .subscribe { shown.value = $0 }
          .store(in: bag)
      }
      await every(60, times: 16) { number in
        route.value = number
        if number.isMultiple(of: 4) { await pause(120) }
      }
      return (route, shown, bag)
    },
    Program("stations-6", nil) {
      let (route, shown, bag) = (MutableProperty(0), MutableProperty(""), DisposableBag())
      route.signal
        .flatMapLatest { ask("\($0)", for: $0.isMultiple(of: 2) ? 10 : 150) }
        .subscribe { shown.value = $0 }
        .store(in: bag)
      await every(60, times: 16) { number in
        route.value = number
        if number.isMultiple(of: 4) { await pause(120) }
      }
      return (route, shown, bag)
    },
    Program("stations-7", "duplicated-work") {
      await every(60, times: 5) { number in
        let page = ask("page \(number)").share()
        page.map(\.count).subscribe { _ in }
        page.subscribe { _ in }
        await pause(100)
        page.map { $0 + "!" }.subscribe { _ in }
      }
      return ()
    },
    Program("stations-8", nil) {
      await every(60, times: 5) { number in
        let page = ask("page \(number)").share(replay: 1, scope: .forever)
        page.map(\.count).subscribe { _ in }
        page.subscribe { _ in }
        await pause(100)
        page.map { $0 + "!" }.subscribe { _ in }
      }
      return ()
    },
    Program("stations-9", "ended-by-failure") {
      let (shown, bag) = (MutableProperty(0), DisposableBag())
      line(after: 10).retry(2, delay: .milliseconds(20), on: .background)
        .subscribe(next: { shown.value = $0 }, failed: { _ in })
        .store(in: bag)
      await pause(1800)
      return (shown, bag)
    },
    Program("stations-10", nil) {
      let (shown, bag) = (MutableProperty(0), DisposableBag())
      line(after: 10).retry(delay: { _, _ in .milliseconds(40) }, on: .background)
        .subscribe(next: { shown.value = $0 }, failed: { _ in })
        .store(in: bag)
      await pause(1800)
      return (shown, bag)
    },
    Program("stations-11", "nothing-passes") {
      await every(20, times: 6) { number in
        let (first, second, bag) = (Subject<Int, Never>(), Subject<Int, Never>(), DisposableBag())
        combineLatest(first.signal, second.signal) { $0 + $1 }.subscribe { _ in }.store(in: bag)
        await pause(20)
        first.send(number)
        if number % 3 != 2 { second.send(number) }
        await pause(number % 3 == 2 ? 900 : 60)
        bag.empty()
      }
      return ()
    },
    Program("stations-12", nil) {
      await every(20, times: 6) { number in
        let (first, second, bag) = (Subject<Int, Never>(), Subject<Int, Never>(), DisposableBag())
        combineLatest(first.signal, second.signal.startWith(0)) { $0 + $1 }
          .subscribe { _ in }
          .store(in: bag)
        await pause(20)
        first.send(number)
        if number % 3 != 2 { second.send(number) }
        await pause(number % 3 == 2 ? 900 : 60)
        bag.empty()
      }
      return ()
    },
    Program("stations-13", "connection-without-subscriber") {
      let poll = Poll()
      let handle = poll.begin()
      await every(300, times: 4) { _ in
        let page = poll.answer.signal.subscribe { _ in }
        await pause(80)
        page.dispose()
      }
      return (poll, handle)
    },
    Program("stations-14", nil) {
      let poll = Poll()
      await every(300, times: 4) { _ in
        let handle = poll.begin()
        let page = poll.answer.signal.subscribe { _ in }
        await pause(80)
        page.dispose()
        handle.dispose()
      }
      return poll
    },
    Program("stations-15", "execution-never-ends") {
      let forms = [false, false, true].map { Form(isShown: $0) }
      await every(60, times: 3) { number in
        for form in forms.reversed() where form.save.isEnabled.value { form.save.execute(number) }
      }
      await pause(1500)
      return forms
    },
    Program("stations-16", nil) {
      let forms = [false, false, false].map { Form(isShown: $0) }
      await every(60, times: 3) { number in
        for form in forms.reversed() where form.save.isEnabled.value { form.save.execute(number) }
      }
      await pause(1500)
      return forms
    },
    Program("stations-17", "feedback-loop") {
      let page = Page(isTold: true)
      await every(500, times: 3) { page.go(to: $0) }
      return page
    },
    Program("stations-18", nil) {
      let page = Page(isTold: false)
      await every(500, times: 3) { page.go(to: $0) }
      return page
    },
    Program("stations-20", "observers-in-a-loop") {
      let (done, bag) = (MutableProperty(0), DisposableBag())
      await every(100, times: 8) { number in
        done.signal.skip(1).filter { $0 > 0 }.subscribe { _ in }.store(in: bag)
        done.value = number + 1
      }
      return (done, bag)
    },
    Program("stations-21", nil) {
      let (done, bag) = (MutableProperty(0), DisposableBag())
      await every(100, times: 8) { number in
        done.signal.skip(1).filter { $0 > 0 }.take(1).subscribe { _ in }.store(in: bag)
        done.value = number + 1
      }
      return (done, bag)
    },
    Program("stations-22", "duplicated-work") {
      let bag = DisposableBag()
      let line: @Sendable () -> Signal<Int, Never> = {
        Signal.interval(.milliseconds(20), on: .background).share(replay: 1)
      }
      await every(150, times: 5) { _ in line().subscribe { _ in }.store(in: bag) }
      bag.empty()
      await pause(800)
      return bag
    },
    Program("stations-23", nil) {
      let bag = DisposableBag()
      let line = Signal.interval(.milliseconds(20), on: .background).share(replay: 1)
      await every(150, times: 5) { _ in line.subscribe { _ in }.store(in: bag) }
      bag.empty()
      await pause(800)
      return bag
    },
    Program("stations-24", "failure-ends-others") {
      await every(200, times: 8) { number in
        forkJoin((0..<4).map { place(number, $0) }).replaceFailure(with: []).subscribe { _ in }
      }
      return ()
    },
    Program("stations-25", nil) {
      await every(200, times: 8) { number in
        forkJoin((0..<4).map { place(number, $0).replaceFailure(with: 0) }).subscribe { _ in }
      }
      return ()
    },
    Program("stations-26", "values-lost") {
      await every(20, times: 5) { _ in
        let bag = DisposableBag()
        let token = ask("token", for: 60).share(replay: 1)
        Signal.interval(.milliseconds(150), on: .background).map { $0 + 1 }.startWith(0)
          .withLatest(from: token)
          .subscribe { _ in }
          .store(in: bag)
        await pause(250)
        bag.empty()
      }
      return ()
    },
    Program("stations-27", nil) {
      await every(20, times: 5) { _ in
        let bag = DisposableBag()
        let token = ask("token", for: 60).share(replay: 1)
        combineLatest(
          Signal.interval(.milliseconds(150), on: .background).map { $0 + 1 }.startWith(0),
          token
        )
        .subscribe { _ in }
        .store(in: bag)
        await pause(250)
        bag.empty()
      }
      return ()
    },
    Program("stations-28", "values-lost") {
      await every(20, times: 9) { number in
        let picture = Subject<Int, Never>()
        if number % 2 == 0 { picture.send(number) }
        let handle = picture.signal.subscribe { _ in }
        await pause(60)
        if number % 2 == 1 { picture.send(number) }
        handle.dispose()
      }
      return ()
    },
    Program("stations-29", nil) {
      await every(20, times: 9) { number in
        let picture = Subject<Int, Never>()
        let handle = picture.signal.subscribe { _ in }
        if number % 2 == 0 { picture.send(number) }
        await pause(60)
        if number % 2 == 1 { picture.send(number) }
        handle.dispose()
      }
      return ()
    },
    Program("stations-30", "wrong-queue") {
      let drawn = Tally()
      var rows: [Row] = []
      await every(60, times: 8) { rows.append(Row($0, drawn, isLed: false)) }
      await pause(200)
      return rows
    },
    Program("stations-31", nil) {
      let drawn = Tally()
      var rows: [Row] = []
      await every(60, times: 8) { rows.append(Row($0, drawn, isLed: true)) }
      await pause(200)
      return rows
    },
    // The handler of completion needs no value, so an empty `forkJoin` is no fault.
    Program("stations-19", nil) {
      let done = MutableProperty(0)
      await every(60, times: 8) { number in
        forkJoin((0..<number % 3).map { ask("file \($0)", for: 5) })
          .subscribe(next: { _ in }, completed: { done.modify { $0 += 1 } })
      }
      return done
    },
  ]
}
