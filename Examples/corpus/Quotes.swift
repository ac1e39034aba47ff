import Reactive

extension Corpus {
  static let quotes = [
    Program("quotes-1", "subject-never-completed") {
      let quotes = Subject<Int, Never>()
      var handles = [quotes.signal.map { $0 }.subscribe { _ in }]
      await every(10, times: 12) { quotes.send($0) }
      await every(110, times: 12) { part in
        handles.append(quotes.signal.map { $0 + part }.subscribe { _ in })
      }
      return (quotes, handles)
    },
    Program("quotes-2", "subject-never-completed") {
      let quotes = Subject<Int, Never>()
      var handles = [quotes.signal.filter { $0 > 3 }.subscribe { _ in }]
      await every(5, times: 40) { quotes.send($0) }
      await every(100, times: 14) { part in
        let high = quotes.signal.filter { $0 > part }
        handles.append(
          part % 2 == 0 ? high.subscribe { _ in } : high.map { -$0 }.subscribe { _ in }
        )
      }
      return (quotes, handles)
    },
    Program("quotes-3", nil) {
      let quotes = Subject<Int, Never>()
      let handles = (0..<12).map { part in quotes.signal.map { $0 + part }.subscribe { _ in } }
      await every(10, times: 12) { quotes.send($0) }
      await pause(1300)
      return (quotes, handles)
    },
    Program("quotes-4", nil) {
      let quotes = Subject<Int, Never>()
      let first = quotes.signal.map { $0 }.subscribe { _ in }
      await every(10, times: 12) { quotes.send($0) }
      let latest = SerialDisposable()
      await every(110, times: 12) { part in
        latest.inner = quotes.signal.map { $0 + part }.subscribe { _ in }
      }
      return (quotes, first, latest)
    },
  ]

  static let galleries = [
    Program("galleries-1", "inner-signals-pile-up") {
      let names = Subject<Int, Never>()
      let edits = Subject<Int, Never>()
      let handle = names.signal.flatMap { name in edits.signal.filter { $0 == name } }
        .subscribe { _ in }
      await every(5, times: 100) { names.send($0) }
      return (names, edits, handle)
    },
    Program("galleries-2", "inner-signals-pile-up") {
      let feeds = Subject<Signal<Int, Never>, Never>()
      let handle = feeds.signal.flatten().subscribe { _ in }
      await every(8, times: 60) { part in
        feeds.send(Signal.interval(.milliseconds(50), on: .main).map { $0 + part })
      }
      return (feeds, handle)
    },
    Program("galleries-3", nil) {
      let names = Subject<Int, Never>()
      let handle = names.signal.flatMap { name in
        Signal<Void, Never>.timer(after: .milliseconds(20), on: .main).map { _ in name }
      }
      .subscribe { _ in }
      await every(5, times: 100) { names.send($0) }
      return (names, handle)
    },
    Program("galleries-4", nil) {
      let rows = Subject<Int, Never>()
      let changes = Subject<Int, Never>()
      let handle = rows.signal.flatMap { row in changes.signal.filter { $0 == row } }
        .subscribe { _ in }
      for row in 0..<60 { rows.send(row) }
      await every(10, times: 60) { changes.send($0) }
      return (rows, changes, handle)
    },
  ]

  static let pairs = [
    Program("pairs-1", "backlog") {
      let questions = Subject<Int, Never>()
      let answers = Subject<Int, Never>()
      let handle = zip(questions.signal, answers.signal).subscribe { _ in }
      await every(3, times: 200) { time in
        questions.send(time)
        if time % 50 == 0 { answers.send(time) }
      }
      return (questions, answers, handle)
    },
    Program("pairs-2", "backlog") {
      let orders = Subject<Int, Never>()
      let line = Subject<Int, Never>()
      let handle = orders.signal.concatMap { order in line.signal.map { $0 + order } }
        .subscribe { _ in }
      await every(3, times: 220) { time in
        orders.send(time)
        line.send(time)
      }
      return (orders, line, handle)
    },
    Program("pairs-3", nil) {
      let questions = Subject<Int, Never>()
      let answers = Subject<Int, Never>()
      let handle = zip(questions.signal, answers.signal).subscribe { _ in }
      await every(100, times: 6) { time in
        for part in 0..<150 { questions.send(part) }
        for part in 0..<150 { answers.send(part + time) }
      }
      return (questions, answers, handle)
    },
    Program("pairs-4", nil) {
      let orders = Subject<Int, Never>()
      let handle = orders.signal.concatMap { order in
        Signal<Void, Never>.timer(after: .milliseconds(1), on: .main).map { _ in order }
      }
      .subscribe { _ in }
      await every(80, times: 8) { _ in for part in 0..<20 { orders.send(part) } }
      return (orders, handle)
    },
  ]
}
