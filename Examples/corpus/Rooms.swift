import Reactive
import ReactiveTrace

/// An object with its own bag, such as a screen.
private final class Room: Sendable {
  let bag = DisposableBag()
  let count = Subject<Int, Never>()

  func follow(_ feed: Signal<Int, Never>) {
    feed.map { $0 * 2 }.subscribe { self.count.send($0) }.store(in: bag)
  }

  func followLoosely(_ feed: Signal<Int, Never>) {
    feed.map { $0 * 2 }.subscribe { [weak self] in self?.count.send($0) }.store(in: bag)
  }
}

extension Corpus {
  static let rooms = [
    Program("rooms-1", "kept-by-closure") {
      let feed = Subject<Int, Never>()
      await every(20, times: 8) { round in
        let room = Room()
        room.follow(feed.signal)
        feed.send(round)
        Trace.mark("round \(round)")
      }
      return feed
    },
    Program("rooms-2", "growth-at-site") {
      let feed = Subject<Int, Never>()
      var handles: [any Disposable] = []
      await every(20, times: 8) { round in
        for part in 0..<2 {
          handles.append(feed.signal.filter { $0 % 2 == part }.subscribe { _ in })
        }
        feed.send(round)
        Trace.mark("visit \(round)")
      }
      return (feed, handles)
    },
    Program("rooms-3", nil) {
      let feed = Subject<Int, Never>()
      await every(20, times: 8) { round in
        let room = Room()
        room.followLoosely(feed.signal)
        feed.send(round)
        Trace.mark("round \(round)")
      }
      return feed
    },
    Program("rooms-4", nil) {
      let feed = Subject<Int, Never>()
      var open: [Room] = []
      await every(20, times: 10) { round in
        let room = Room()
        room.followLoosely(feed.signal)
        open.append(room)
        if open.count > 4 { open.removeFirst() }
        feed.send(round)
        Trace.mark("visit \(round)")
      }
      return (feed, open)
    },
  ]

  static let owners = [
    Program("owners-1", "owner-ended") {
      let feed = Subject<Int, Never>()
      for part in 0..<3 {
        let owner = CompositeDisposable()
        feed.signal.map { $0 + part }.subscribe { _ in }.store(in: owner)
      }
      await every(10, times: 60) { feed.send($0) }
      return feed
    },
    Program("owners-2", "owner-ended") {
      let feed = Subject<Int, Never>()
      let owner = CompositeDisposable()
      do {
        let handle = feed.signal.map { $0 + 1 }.subscribe { _ in }
        owner.add(handle)
        await every(10, times: 30) { feed.send($0) }
        owner.remove(handle)
      }
      owner.dispose()
      await every(10, times: 60) { feed.send($0) }
      return feed
    },
    Program("owners-3", nil) {
      let feed = Subject<Int, Never>()
      for part in 0..<3 {
        let owner = DisposableBag()
        feed.signal.map { $0 + part }.subscribe { _ in }.store(in: owner)
      }
      await every(10, times: 60) { feed.send($0) }
      return feed
    },
    Program("owners-4", nil) {
      let feed = Subject<Int, Never>()
      let owner = CompositeDisposable()
      let next = CompositeDisposable()
      do {
        let handle = feed.signal.map { $0 + 1 }.subscribe { _ in }
        owner.add(handle)
        await every(10, times: 30) { feed.send($0) }
        owner.remove(handle)
        next.add(handle)
      }
      owner.dispose()
      await every(10, times: 60) { feed.send($0) }
      return (feed, next)
    },
  ]

  static let handles = [
    Program("handles-1", "disposable-dropped") {
      let feed = Subject<Int, Never>()
      func open(_ part: Int) { _ = feed.signal.map { $0 + part }.subscribe { _ in } }
      await every(100, times: 3) { open($0) }
      await every(10, times: 70) { feed.send($0) }
      return feed
    },
    Program("handles-2", "disposable-dropped") {
      func open(_ part: Int) {
        Signal<Int, Never>.interval(.milliseconds(20), on: .main).map { $0 + part }
          .subscribe { _ in }
      }
      await every(50, times: 2) { open($0) }
      await pause(900)
      return 0
    },
    Program("handles-3", nil) {
      let feed = Subject<Int, Never>()
      _ = feed.signal.map { $0 + 1 }.subscribe { _ in }
      await every(10, times: 90) { feed.send($0) }
      return feed
    },
    Program("handles-4", nil) {
      let feed = Subject<Int, Never>()
      let end = Subject<Void, Never>()
      func open(_ part: Int) {
        _ = feed.signal.map { $0 + part }.take(until: end.signal).subscribe { _ in }
        _ = feed.signal.take(200).subscribe { _ in }
      }
      await every(100, times: 3) { open($0) }
      await every(10, times: 70) { feed.send($0) }
      return (feed, end)
    },
  ]
}
