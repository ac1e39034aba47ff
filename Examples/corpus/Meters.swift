import Reactive

/// Blocks the thread for the given number of milliseconds.
private func work(_ milliseconds: Int) {
  let end = ContinuousClock.now + .milliseconds(milliseconds)
  while ContinuousClock.now < end {}
}

/// Programs about time limits, two paths of one value, and long work on the main queue.
extension Corpus {
  static let meters = [
    Program("meters-1", "ended-while-sending") {
      let queue = QueueScheduler(label: "meter")
      let handle = Signal.interval(.milliseconds(40), on: queue).promoteFailure(to: Refusal.self)
        .timeout(after: .milliseconds(700), on: queue, failingWith: Refusal())
        .subscribe(next: { _ in }, failed: { _ in })
      await pause(1200)
      return handle
    },
    Program("meters-2", nil) {
      let queue = QueueScheduler(label: "meter")
      let lines = Subject<Int, Refusal>()
      let handle = lines.signal
        .timeout(each: .milliseconds(400), on: queue, failingWith: Refusal())
        .subscribe(next: { _ in }, failed: { _ in })
      await every(40, times: 12) { lines.send($0) }
      await pause(700)
      return (lines, handle)
    },
    Program("meters-3", "glitch") {
      let trips = Subject<Int, Never>()
      let handle = combineLatest(trips.signal.map { $0 * 3 }, trips.signal.map { 90 - $0 })
        .subscribe { _ in }
      await every(60, times: 15) { trips.send($0) }
      return (trips, handle)
    },
    Program("meters-4", nil) {
      let trips = Subject<Int, Never>()
      let handle = zip(trips.signal.map { $0 * 3 }, trips.signal.map { 90 - $0 })
        .subscribe { _ in }
      await every(60, times: 15) { trips.send($0) }
      return (trips, handle)
    },
    Program("meters-5", nil) {
      let trips = Subject<Int, Never>()
      let guests = Subject<Int, Never>()
      let handle = combineLatest(trips.signal.map { $0 * 3 }, guests.signal.map { 90 - $0 })
        .subscribe { _ in }
      await every(60, times: 15) {
        trips.send($0)
        guests.send($0)
      }
      return (trips, guests, handle)
    },
    Program("meters-6", nil) {
      let trips = Subject<Int, Never>()
      let handle = combineLatest(trips.signal.map { $0 * 3 }, trips.signal.map { 90 - $0 })
        .debounce(.milliseconds(20), on: QueueScheduler(label: "meter"))
        .subscribe { _ in }
      await every(60, times: 15) { trips.send($0) }
      return (trips, handle)
    },
    Program("meters-7", "main-queue-held") {
      let counts = Subject<Int, Never>()
      let handles = [
        counts.signal.deliver(on: .main).map {
          work(120)
          return $0
        }
        .subscribe { _ in },
        Signal.interval(.milliseconds(30), on: .main).subscribe { _ in },
      ]
      await every(250, times: 6) { counts.send($0) }
      return (counts, handles)
    },
    Program("meters-8", nil) {
      let counts = Subject<Int, Never>()
      let queue = QueueScheduler(label: "meter")
      let handles = [
        counts.signal.deliver(on: queue).map {
          work(120)
          return $0
        }
        .deliver(on: .main).subscribe { _ in },
        Signal.interval(.milliseconds(30), on: .main).subscribe { _ in },
      ]
      await every(250, times: 6) { counts.send($0) }
      return (counts, handles)
    },
    // A choice that comes too soon cancels only the slower of the two answers.
    Program("meters-9", "glitch") {
      let chosen = Subject<Int, Never>()
      let handle = zip(
        chosen.signal.flatMapLatest { answer($0, after: 10) },
        chosen.signal.flatMapLatest { answer($0, after: 60) }
      )
      .subscribe { _ in }
      await choose(chosen)
      return (chosen, handle)
    },
    Program("meters-10", nil) {
      let chosen = Subject<Int, Never>()
      let handles = [
        chosen.signal
          .flatMapLatest { zip(answer($0, after: 10), answer($0, after: 60)) }
          .subscribe { _ in },
        // Each value is paired with the next one, so the first input is ahead from the beginning.
        zip(chosen.signal, chosen.signal.skip(1)).subscribe { _ in },
      ]
      await choose(chosen)
      return (chosen, handles)
    },
  ]
}

private func answer(_ number: Int, after milliseconds: Int) -> Signal<Int, Never> {
  Signal.timer(after: .milliseconds(milliseconds), on: QueueScheduler.background).map { number }
}

private func choose(_ chosen: Subject<Int, Never>) async {
  for number in 0..<10 {
    chosen.send(number)
    await pause(number == 4 ? 35 : 160)
  }
}
