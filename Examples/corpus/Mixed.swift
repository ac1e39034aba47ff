internal import Glibc
import Reactive
import ReactiveTrace
import Synchronization

/// Realistic programs that do several things at once, most of them without a fault.
extension Corpus {
  static let mixed = [
    // The user types, and each pause begins a search that replaces the previous one.
    Program("mixed-1", nil) {
      let keys = Subject<String, Never>()
      let search = keys.signal.debounce(.milliseconds(30), on: .main)
        .distinctUntilChanged()
        .flatMapLatest { text in
          Signal<Void, Never>.timer(after: .milliseconds(40), on: QueueScheduler.background)
            .map { _ in text.count }
        }
        .deliver(on: .main)
      let handle = search.subscribe { _ in }
      await every(12, times: 100) { time in if time % 10 < 6 { keys.send("text \(time / 3)") } }
      return (keys, handle)
    },
    // Three queues report to one handler, which may run on any queue.
    Program("mixed-2", nil) {
      let queues = (0..<3).map { QueueScheduler(label: "worker \($0)") }
      let reports = queues.map { queue in
        Signal<Int, Never>.interval(.milliseconds(9), on: queue).map { $0 * 2 }
      }
      let total = Mutex(0)
      let handle = merge(reports[0], reports[1], reports[2]).scan(0) { $0 + $1 }
        .subscribe { value in total.withLock { $0 = value } }
      await pause(800)
      return handle
    },
    // A request that fails four times, and is retried until it succeeds.
    Program("mixed-3", nil) {
      let tries = Mutex(0)
      let request = Signal<Int, Refusal>.create { observer in
        let number = tries.withLock { tries in
          tries += 1
          return tries
        }
        QueueScheduler.background.schedule(after: .milliseconds(20)) {
          if number < 5 {
            observer.fail(Refusal())
          } else {
            observer.send(number)
            observer.complete()
          }
        }
      }
      let handle = request.retry(10).subscribe(next: { _ in }, failed: { _ in })
      await pause(400)
      return (request, handle)
    },
    // Sessions are opened, exchange values in pairs and are closed, with a mark after each.
    Program("mixed-4", nil) {
      let feed = Subject<Int, Never>()
      for round in 0..<8 {
        let bag = DisposableBag()
        let answers = Subject<Int, Never>()
        zip(feed.signal, answers.signal).subscribe { _ in }.store(in: bag)
        combineLatest(feed.signal, answers.signal).throttle(.milliseconds(10), on: .main)
          .subscribe { _ in }.store(in: bag)
        await every(5, times: 12) { time in
          feed.send(time)
          answers.send(-time)
        }
        withExtendedLifetime(bag) {}
        Trace.mark("session \(round)")
      }
      return feed
    },
    // Fifty rows, each with a bag; now and then one of the rows is replaced.
    Program("mixed-5", nil) {
      let prices = Subject<Int, Never>()
      let shared = prices.signal.share(replay: 1)
      var rows: [DisposableBag] = []
      func row() -> DisposableBag {
        let bag = DisposableBag()
        shared.filter { $0 % 3 == 0 }.subscribe { _ in }.store(in: bag)
        shared.map { $0 + 1 }.subscribe { _ in }.store(in: bag)
        return bag
      }
      for _ in 0..<50 { rows.append(row()) }
      await every(10, times: 90) { time in
        prices.send(time)
        if time % 6 == 0 { rows[time % 50] = row() }
      }
      return (prices, rows)
    },
    // Files are uploaded in bursts, four at a time.
    Program("mixed-6", nil) {
      let files = Subject<Int, Never>()
      let handle = files.signal.flatMap(limit: 4) { file in
        Signal<Void, Never>.timer(after: .milliseconds(15), on: QueueScheduler.background)
          .map { _ in file }
      }
      .deliver(on: .main).subscribe { _ in }
      for _ in 0..<4 {
        for file in 0..<30 { files.send(file) }
        await pause(220)
      }
      return (files, handle)
    },
    // A timer's subject has a subscriber, then none, and then one again.
    Program("mixed-7", nil) {
      let clock = Subject<Int, Never>()
      let timer = QueueScheduler.main.schedule(every: .milliseconds(20)) { clock.send(1) }
      for _ in 0..<3 {
        let handle = clock.signal.map { $0 + 1 }.subscribe { _ in }
        await pause(150)
        handle.dispose()
        await pause(150)
      }
      let handle = clock.signal.subscribe { _ in }
      await pause(100)
      return (clock, timer, handle)
    },
    // One burst of values is kept for later subscribers; no further values come.
    Program("mixed-8", nil) {
      let log = ReplaySubject<Int, Never>()
      let first = log.signal.reduce(0) { $0 + $1 }.subscribe { _ in }
      for value in 0..<3000 { log.send(value) }
      await pause(150)
      let second = log.signal.take(3000).collect().subscribe { _ in }
      await pause(500)
      log.complete()
      return (log, first, second)
    },
    // The user types, but no search is ended when the next one begins.
    Program("mixed-9", "inner-signals-pile-up") {
      let keys = Subject<String, Never>()
      let results = Subject<Int, Never>()
      let search = keys.signal.filter { !$0.isEmpty }.distinctUntilChanged()
        .flatMap { text in results.signal.map { $0 + text.count }.filter { $0 > 0 } }
        .deliver(on: .main)
      let handle = search.subscribe { _ in }
      await every(10, times: 80) { time in
        keys.send("text \(time)")
        if time % 20 == 0 { results.send(time) }
      }
      return (keys, results, handle)
    },
    // A handler that takes longer than the interval between values.
    Program("mixed-10", "backlog") {
      let frames = Subject<Int, Never>()
      let drawing = QueueScheduler(label: "drawing")
      let handle = frames.signal.map { $0 * 2 }.deliver(on: drawing).subscribe { _ in usleep(20000)
      }
      await every(4, times: 250) { frames.send($0) }
      return (frames, handle)
    },
    // All events are kept without a bound for later subscribers.
    Program("mixed-11", "cache-without-bound") {
      let events = Subject<Int, Never>()
      let history = events.signal.map { "event \($0)" }.replay()
      let first = history.subscribe { _ in }
      await every(3, times: 220) { time in for part in 0..<10 { events.send(time + part) } }
      return (events, history, first)
    },
    // Sessions are closed, but a table keeps one subscription of each.
    Program("mixed-12", "growth-at-site") {
      let feed = Subject<Int, Never>()
      var table: [Int: any Disposable] = [:]
      for round in 0..<9 {
        let bag = DisposableBag()
        feed.signal.map { $0 + 1 }.subscribe { _ in }.store(in: bag)
        table[round] = feed.signal.filter { $0 == round }.subscribe { _ in }
        await every(4, times: 10) { feed.send($0) }
        withExtendedLifetime(bag) {}
        Trace.mark("session \(round)")
      }
      return (feed, table)
    },
  ]
}
