import Reactive
import ReactiveTrace
import Synchronization

/// Asks a server, which answers a little later.
private func ask(_ text: String) -> Signal<String, Never> {
  .deferred {
    Signal.timer(after: .milliseconds(30), on: QueueScheduler(label: "server")).map { text }
  }
}

/// Fails on the first subscription, and sends a number on later ones.
private func hiccup(_ asked: Counts) -> Signal<Int, Refusal> {
  .deferred {
    let time = asked.next()
    return Signal.timer(after: .milliseconds(20), on: QueueScheduler(label: "server"))
      .tryMap { _ throws(Refusal) in
        if time == 1 { throw Refusal() }
        return time
      }
  }
}

private final class Counts: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}

private struct Texts: Sendable {
  func text(_ number: Int) -> Signal<String, Never> { .just("text \(number)") }
}

/// A screen that looks something up for each number.
private final class LookUp: Sendable {
  private let texts = Texts()
  private let bag = DisposableBag()
  private let shown = MutableProperty("")

  init(_ numbers: Signal<Int, Never>, isKept: Bool) {
    if isKept {
      numbers.flatMap { self.texts.text($0) }.bind(to: shown).store(in: bag)
    } else {
      numbers.flatMap { [texts] in texts.text($0) }.bind(to: shown).store(in: bag)
    }
  }
}

/// Handles one request after the other.
private final class Desk: Sendable {
  private let requests = Subject<Signal<Int, Never>, Never>()
  private let bag = DisposableBag()

  init() { requests.signal.concatMap { $0 }.subscribe { _ in }.store(in: bag) }

  func add(_ request: Signal<Int, Never>) { requests.send(request) }
}

/// Programs about kept failures, lost values, repeated work and requests that wait for ever.
extension Corpus {
  static let desks = [
    Program("desks-1", "failure-kept") {
      let sheet = hiccup(Counts()).share(replay: 1, scope: .forever)
      await every(80, times: 6) { _ in sheet.subscribe(next: { _ in }, failed: { _ in }) }
      return sheet
    },
    Program("desks-2", nil) {
      let sheet = hiccup(Counts()).share()
      await every(80, times: 6) { _ in sheet.subscribe(next: { _ in }, failed: { _ in }) }
      return sheet
    },
    Program("desks-3", "values-lost") {
      await every(10, times: 5) { _ in
        let places = ReplaySubject<Int, Never>(capacity: 0)
        places.send(1)
        await pause(60)
        let handle = places.signal.subscribe { _ in }
        await pause(60)
        places.send(2)
        places.send(3)
        handle.dispose()
      }
      return ()
    },
    Program("desks-4", nil) {
      await every(10, times: 5) { _ in
        let places = ReplaySubject<Int, Never>(capacity: 1)
        places.send(1)
        await pause(60)
        let handle = places.signal.subscribe { _ in }
        await pause(60)
        places.send(2)
        places.send(3)
        handle.dispose()
      }
      return ()
    },
    Program("desks-5", "waited-in-vain") {
      await every(10, times: 3) { _ in
        let desk = Desk()
        desk.add(Signal.interval(.milliseconds(60), on: .main))
        for number in 0..<3 { desk.add(.just(number)) }
        await pause(450)
        withExtendedLifetime(desk) {}
      }
      return ()
    },
    Program("desks-6", nil) {
      await every(10, times: 3) { _ in
        let desk = Desk()
        desk.add(Signal.interval(.milliseconds(60), on: .main).take(4))
        for number in 0..<3 { desk.add(.just(number)) }
        await pause(450)
        withExtendedLifetime(desk) {}
      }
      return ()
    },
    Program("desks-7", "duplicated-work") {
      await every(90, times: 6) { number in
        let answer = ask("room \(number)")
        for text in [answer.map(\.count), answer.map { $0.count * 2 }] {
          text.subscribe { _ in }
        }
      }
      return ()
    },
    Program("desks-8", nil) {
      await every(90, times: 6) { number in
        let answer = ask("room \(number)").share()
        for text in [answer.map(\.count), answer.map { $0.count * 2 }] {
          text.subscribe { _ in }
        }
      }
      return ()
    },
    Program("desks-9", "growth-at-site") {
      let token = MutableProperty(1)
      await every(40, times: 12) { number in
        let answers = [
          ask("news"), token.signal.flatMap { ask("\($0)") },
        ]
        for answer in answers { answer.subscribe { _ in } }
        Trace.mark("day \(number)")
      }
      return token
    },
    Program("desks-10", nil) {
      let token = MutableProperty(1)
      await every(40, times: 12) { number in
        let answers = [
          ask("news"), token.signal.take(1).flatMap { ask("\($0)") },
        ]
        for answer in answers { answer.subscribe { _ in } }
        Trace.mark("day \(number)")
      }
      return token
    },
    Program("desks-11", "connection-without-subscriber") {
      let state = Signal.interval(.milliseconds(15), on: .background).map { $0 * 2 }.replayLazily(1)
      await every(200, times: 5) { _ in
        let handle = state.subscribe { _ in }
        await pause(60)
        handle.dispose()
      }
      return state
    },
    Program("desks-12", nil) {
      let state = Signal.interval(.milliseconds(15), on: .background).map { $0 * 2 }
        .share(replay: 1)
      await every(200, times: 5) { _ in
        let handle = state.subscribe { _ in }
        await pause(60)
        handle.dispose()
      }
      return state
    },
    Program("desks-13", "kept-by-closure") {
      let numbers = Subject<Int, Never>()
      await every(60, times: 20) { number in
        _ = LookUp(numbers.signal, isKept: true)
        numbers.send(number)
      }
      return numbers
    },
    Program("desks-14", nil) {
      let numbers = Subject<Int, Never>()
      await every(60, times: 20) { number in
        _ = LookUp(numbers.signal, isKept: false)
        numbers.send(number)
      }
      return numbers
    },
    Program("desks-15", "nothing-passes") {
      let (box, agent, usage) = (
        Subject<Int, Never>(), Subject<Int, Never>(), Subject<Int, Never>()
      )
      let handles = [usage, agent].map { place in
        combineLatest(box.signal, place.signal) { $0 + $1 }.subscribe { _ in }
      }
      await every(60, times: 20) {
        box.send($0)
        usage.send($0)
      }
      return (box, agent, usage, handles)
    },
    Program("desks-16", nil) {
      let (box, agent, usage) = (
        Subject<Int, Never>(), BehaviorSubject<Int, Never>(0), Subject<Int, Never>()
      )
      let handles = [usage.signal, agent.signal].map { place in
        combineLatest(box.signal, place) { $0 + $1 }.subscribe { _ in }
      }
      await every(60, times: 20) {
        box.send($0)
        usage.send($0)
      }
      return (box, agent, usage, handles)
    },
  ]
}
