import Reactive

extension Corpus {
  static let stores = [
    Program("stores-1", "cache-without-bound") {
      let log = ReplaySubject<Int, Never>()
      let handle = log.signal.subscribe { _ in }
      await every(2, times: 300) { time in for part in 0..<10 { log.send(time * 10 + part) } }
      return (log, handle)
    },
    Program("stores-2", "cache-without-bound") {
      let names = Subject<Int, Never>()
      let handle = names.signal.distinct().subscribe { _ in }
      await every(2, times: 300) { time in for part in 0..<10 { names.send(time * 10 + part) } }
      return (names, handle)
    },
    Program("stores-3", nil) {
      let log = ReplaySubject<Int, Never>(capacity: 64)
      let handle = log.signal.subscribe { _ in }
      await every(2, times: 300) { time in for part in 0..<10 { log.send(time * 10 + part) } }
      return (log, handle)
    },
    Program("stores-4", nil) {
      let names = Subject<Int, Never>()
      var handles: [any Disposable] = []
      await every(60, times: 8) { time in
        handles.append(names.signal.take(1500).collect().subscribe { _ in })
        for part in 0..<1500 { names.send(time * 10 + part) }
      }
      return (names, handles)
    },
    Program("stores-5", "connection-without-subscriber") {
      let beats = Signal<Int, Never>.interval(.milliseconds(4), on: .main).replayLast()
      let first = beats.subscribe { _ in }
      await pause(150)
      first.dispose()
      await pause(800)
      return beats
    },
    Program("stores-6", "connection-without-subscriber") {
      let source = Subject<Int, Never>()
      let shared = source.signal.map { $0 * $0 }.publish()
      let connection = shared.connect()
      let first = shared.signal.filter { $0 > 1 }.subscribe { _ in }
      let second = shared.signal.take(20).subscribe { _ in }
      await every(4, times: 40) { source.send($0) }
      first.dispose()
      await every(4, times: 200) { source.send($0) }
      return (source, shared, connection, second)
    },
    Program("stores-7", nil) {
      let beats = Signal<Int, Never>.interval(.milliseconds(4), on: .main).share(replay: 1)
      let first = beats.subscribe { _ in }
      await pause(150)
      first.dispose()
      await pause(800)
      return beats
    },
    Program("stores-8", nil) {
      let source = Subject<Int, Never>()
      let shared = source.signal.map { $0 * $0 }.replayLast()
      await every(300, times: 4) { _ in
        let visit = shared.subscribe { _ in }
        for part in 0..<80 { source.send(part) }
        visit.dispose()
        for part in 0..<80 { source.send(part) }
      }
      return (source, shared)
    },
  ]

  static let watchers = [
    Program("watchers-1", "observers-in-a-loop") {
      let news = Subject<Int, Never>()
      let bag = DisposableBag()
      let shown = news.signal.map { $0 + 1 }
      await every(20, times: 28) { time in
        shown.subscribe { _ in }.store(in: bag)
        news.send(time)
      }
      return (news, bag)
    },
    Program("watchers-2", "observers-in-a-loop") {
      let news = Subject<Int, Never>()
      let shown = news.signal.map { $0 + 1 }
      for _ in 0..<12 { _ = shown.subscribe { _ in } }
      await every(10, times: 70) { news.send($0) }
      return news
    },
    Program("watchers-3", nil) {
      let news = Subject<Int, Never>()
      let shown = news.signal.map { $0 + 1 }
      var cells: [DisposableBag] = []
      await every(20, times: 28) { time in
        let cell = DisposableBag()
        shown.subscribe { _ in }.store(in: cell)
        cells.append(cell)
        news.send(time)
      }
      return (news, cells)
    },
    Program("watchers-4", nil) {
      let news = Subject<Int, Never>()
      let shown = news.signal.map { $0 + 1 }
      let workers = (0..<24).map { _ in shown.subscribe { _ in } }
      await every(10, times: 70) { news.send($0) }
      return (news, workers)
    },
    Program("watchers-5", nil) {
      let news = Subject<Int, Never>()
      let shown = news.signal.map { $0 + 1 }
      let latest = SerialDisposable()
      await every(20, times: 28) { time in
        latest.inner = shown.subscribe { _ in }
        news.send(time)
      }
      return (news, latest)
    },
  ]
}
