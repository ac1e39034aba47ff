import Reactive
import ReactiveTrace
import Synchronization

/// Programs in which values do not arrive, or arrive too often, too early or out of order.
extension Corpus {
  static let meetings = [
    Program("meetings-1", "nothing-passes") {
      let names = Subject<Int, Never>()
      let rights = Subject<Int, Never>()
      let handle = combineLatest(names.signal, rights.signal).map { $0 + $1 }.subscribe { _ in }
      await every(20, times: 60) { names.send($0) }
      return (names, rights, handle)
    },
    Program("meetings-2", "nothing-passes") {
      let keys = Subject<Int, Never>()
      let handle = keys.signal.debounce(.milliseconds(100), on: .main).subscribe { _ in }
      await every(20, times: 70) { keys.send($0) }
      return (keys, handle)
    },
    Program("meetings-3", nil) {
      let names = Subject<Int, Never>()
      let rights = BehaviorSubject<Int, Never>(1)
      let handle = combineLatest(names.signal, rights.signal).map { $0 + $1 }.subscribe { _ in }
      await every(20, times: 60) { names.send($0) }
      return (names, rights, handle)
    },
    Program("meetings-4", nil) {
      let keys = Subject<Int, Never>()
      let handle = keys.signal.debounce(.milliseconds(30), on: .main).subscribe { _ in }
      await every(10, times: 100) { if $0 % 20 < 12 { keys.send($0) } }
      return (keys, handle)
    },
    Program("meetings-5", "nothing-passes") {
      let clicks = Subject<Int, Never>()
      let handle = clicks.signal.collect().map(\.count).subscribe { _ in }
      await every(20, times: 60) { clicks.send($0) }
      return (clicks, handle)
    },
    Program("meetings-6", nil) {
      let clicks = Subject<Int, Never>()
      let handle = clicks.signal.take(50).collect().map(\.count).subscribe { _ in }
      await every(20, times: 60) { clicks.send($0) }
      return (clicks, handle)
    },
    Program("meetings-7", "nothing-passes") {
      let clicks = Subject<Int, Never>()
      let handle = clicks.signal.take(last: 1).subscribe { _ in }
      await every(20, times: 60) { clicks.send($0) }
      return (clicks, handle)
    },
    Program("meetings-8", nil) {
      let clicks = Subject<Int, Never>()
      let handle = clicks.signal.take(50).last(where: { $0 % 2 == 0 }).subscribe { _ in }
      await every(20, times: 60) { clicks.send($0) }
      return (clicks, handle)
    },
  ]

  static let streams = [
    Program("streams-1", "ended-by-failure") {
      let pulls = Subject<Int, Never>()
      let handle = pulls.signal.promoteFailure(to: Refusal.self).flatMap { page(of: $0) }
        .subscribe(next: { _ in }, failed: { _ in })
      await every(20, times: 50) { pulls.send($0) }
      return (pulls, handle)
    },
    Program("streams-2", "ended-by-failure") {
      let pulls = Subject<Int, Never>()
      let handle = pulls.signal.promoteFailure(to: Refusal.self).flatMap { page(of: $0) }
        .catch { _ in Signal<Int, Never>.empty() }.subscribe { _ in }
      await every(20, times: 50) { pulls.send($0) }
      return (pulls, handle)
    },
    Program("streams-3", nil) {
      let pulls = Subject<Int, Never>()
      let handle = pulls.signal.flatMap { page(of: $0).catch { _ in Signal<Int, Never>.empty() } }
        .subscribe { _ in }
      await every(20, times: 50) { pulls.send($0) }
      return (pulls, handle)
    },
    Program("streams-4", nil) {
      let pulls = Subject<Int, Never>()
      let handle = pulls.signal.promoteFailure(to: Refusal.self).flatMap { page(of: $0) }.retry(3)
        .subscribe(next: { _ in }, failed: { _ in })
      await every(20, times: 50) { pulls.send($0) }
      return (pulls, handle)
    },
  ]

  static let attempts = [
    Program("attempts-1", "retry-storm") {
      let line = Signal<Int, Refusal>.create { observer in
        QueueScheduler.background.schedule(after: .milliseconds(3)) { observer.fail(Refusal()) }
      }
      let handle = line.retry(60).subscribe(next: { _ in }, failed: { _ in })
      await pause(600)
      return (line, handle)
    },
    Program("attempts-2", "retry-storm") {
      let line = Signal<Int, Refusal>.create { observer in
        QueueScheduler.background.schedule(after: .milliseconds(3)) { observer.fail(Refusal()) }
      }
      await every(6, times: 60) { _ in line.subscribe(next: { _ in }, failed: { _ in }) }
      return line
    },
    Program("attempts-3", nil) {
      let line = Signal<Int, Refusal>.create { observer in
        QueueScheduler.background.schedule(after: .milliseconds(3)) { observer.fail(Refusal()) }
      }
      let handle = line.retry(12, delay: .milliseconds(80), on: QueueScheduler.background)
        .subscribe(next: { _ in }, failed: { _ in })
      await pause(600)
      return (line, handle)
    },
    Program("attempts-4", nil) {
      let tries = Mutex(0)
      let line = Signal<Int, Refusal>.create { observer in
        let number = tries.withLock { tries in
          tries += 1
          return tries
        }
        QueueScheduler.background.schedule(after: .milliseconds(5)) {
          for part in 0..<3 { observer.send(number + part) }
          observer.fail(Refusal())
        }
      }
      let handle = line.retry(30).subscribe(next: { _ in }, failed: { _ in })
      await pause(600)
      return (line, handle)
    },
  ]

  static let profiles = [
    Program("profiles-1", "duplicated-work") {
      let profile = loading()
      let handles = (0..<3).map { part in profile.map { $0 + part }.subscribe { _ in } }
      await pause(300)
      return (profile, handles)
    },
    Program("profiles-2", "duplicated-work") {
      let profile = loading().map { $0 * 2 }
      let handle = combineLatest(profile.filter { $0 > 0 }, profile.map { -$0 }).subscribe { _ in }
      await pause(300)
      return (profile, handle)
    },
    Program("profiles-3", nil) {
      let profile = loading().share(replay: 1)
      let handles = (0..<3).map { part in profile.map { $0 + part }.subscribe { _ in } }
      await pause(300)
      return (profile, handles)
    },
    Program("profiles-4", nil) {
      let profile = loading()
      var handles: [any Disposable] = []
      await every(60, times: 4) { _ in handles.append(profile.subscribe { _ in }) }
      return (profile, handles)
    },
  ]

  static let announcements = [
    Program("announcements-1", "values-lost") {
      let news = Subject<Int, Never>()
      for value in 0..<4 { news.send(value) }
      let handle = news.signal.subscribe { _ in }
      await every(60, times: 12) { news.send($0) }
      return (news, handle)
    },
    Program("announcements-2", "values-lost") {
      let keys = Subject<Int, Never>()
      let handle = keys.signal.flatMapLatest { key in
        Signal<Void, Never>.timer(after: .milliseconds(60), on: QueueScheduler.background)
          .map { _ in key }
      }
      .subscribe { _ in }
      await every(20, times: 40) { keys.send($0) }
      await pause(200)
      return (keys, handle)
    },
    Program("announcements-3", nil) {
      let news = BehaviorSubject<Int, Never>(0)
      for value in 0..<4 { news.send(value) }
      let handle = news.signal.subscribe { _ in }
      await every(30, times: 30) { news.send($0) }
      return (news, handle)
    },
    Program("announcements-4", nil) {
      let keys = Subject<Int, Never>()
      let handle = keys.signal.flatMapLatest { key in
        Signal<Void, Never>.timer(after: .milliseconds(5), on: QueueScheduler.background)
          .map { _ in key }
      }
      .subscribe { _ in }
      await every(30, times: 30) { keys.send($0) }
      await pause(200)
      return (keys, handle)
    },
  ]

  static let ways = [
    Program("ways-1", "order-over-queues") {
      let steps = Subject<Int, Never>()
      let drawing = QueueScheduler(label: "drawing")
      let even = steps.signal.filter { $0 % 2 == 0 }.deliver(on: drawing)
      let odd = steps.signal.filter { $0 % 2 == 1 }
      let handle = even.merge(with: odd).subscribe { _ in }
      await every(10, times: 50) { steps.send($0) }
      return (steps, handle)
    },
    Program("ways-2", "order-over-queues") {
      let steps = Subject<Int, Never>()
      let (left, right) = (QueueScheduler(label: "left"), QueueScheduler(label: "right"))
      let ways = merge(
        steps.signal.map { $0 * 2 }.deliver(on: left),
        steps.signal.map { -$0 }.deliver(on: right)
      )
      let handle = ways.subscribe { _ in }
      await every(10, times: 50) { steps.send($0) }
      return (steps, handle)
    },
    Program("ways-3", nil) {
      let steps = Subject<Int, Never>()
      let drawing = QueueScheduler(label: "drawing")
      let even = steps.signal.filter { $0 % 2 == 0 }
      let odd = steps.signal.filter { $0 % 2 == 1 }
      let handle = even.merge(with: odd).deliver(on: drawing).subscribe { _ in }
      await every(10, times: 50) { steps.send($0) }
      return (steps, handle)
    },
    Program("ways-4", nil) {
      let (steps, others) = (Subject<Int, Never>(), Subject<Int, Never>())
      let drawing = QueueScheduler(label: "drawing")
      let handle = steps.signal.deliver(on: drawing).merge(with: others.signal).subscribe { _ in }
      await every(10, times: 50) { time in
        steps.send(time)
        others.send(time)
      }
      return (steps, others, handle)
    },
  ]

  static let visitors = [
    Program("visitors-1", "growth-at-site") {
      let feed = Subject<Int, Never>()
      var handles: [any Disposable] = []
      await every(40, times: 45) { visit in
        let bag = DisposableBag()
        feed.signal.map { $0 + 1 }.subscribe { _ in }.store(in: bag)
        if visit % 4 == 0 { handles.append(feed.signal.filter { $0 > visit }.subscribe { _ in }) }
        feed.send(visit)
        withExtendedLifetime(bag) {}
      }
      return (feed, handles)
    },
    Program("visitors-2", "signals-pile-up") {
      var topics: [Int: Subject<Int, Never>] = [:]
      var handles: [any Disposable] = []
      await every(40, times: 45) { visit in
        let topic = Subject<Int, Never>()
        topics[visit] = topic
        handles.append(topic.signal.take(1).subscribe { _ in })
      }
      return (topics, handles)
    },
    Program("visitors-3", nil) {
      let feed = Subject<Int, Never>()
      var handles: [any Disposable] = []
      await every(40, times: 45) { visit in
        if visit % 4 == 0 { handles.append(feed.signal.filter { $0 > visit }.subscribe { _ in }) }
        if handles.count > 3 { handles.removeFirst().dispose() }
        feed.send(visit)
      }
      return (feed, handles)
    },
    Program("visitors-4", nil) {
      var topics: [Int: Subject<Int, Never>] = [:]
      await every(40, times: 45) { visit in
        let topic = Subject<Int, Never>()
        topics[visit % 8] = topic
        topic.signal.take(1).subscribe { _ in }
        topic.send(visit)
      }
      return topics
    },
  ]
}

private func page(of number: Int) -> Signal<Int, Refusal> {
  .create { observer in
    QueueScheduler.background.schedule(after: .milliseconds(2)) {
      if number == 12 { return observer.fail(Refusal()) }
      observer.send(number)
      observer.complete()
    }
  }
}

private func loading() -> Signal<Int, Never> {
  .create { observer in
    QueueScheduler.background.schedule(after: .milliseconds(20)) {
      observer.send(1)
      observer.complete()
    }
  }
}
