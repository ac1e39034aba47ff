import Reactive

/// The first of several screens that subscribe through the helper.
struct Tile {
  /// In most scenarios, the subscriptions that tiles make are never ended.
  static func open(_ feed: Feed) -> any Disposable {
    Tracking.track(feed.numbers.signal) { _ in }
  }

  static func follow(_ feed: Feed) -> any Disposable { Tracking.follow(feed.numbers.signal) }
  static func load() { Tracking.run(.failed(Refusal())) }
  static func forward(_ feed: Feed) -> any Disposable { Tracking.forward(feed.numbers.signal) }
  static func watch(_ feed: Feed) -> any Disposable { Tracking.withFeed(feed) }
  static func edit(_ feed: Feed) -> any Disposable {
    Tracking.changes(of: feed.numbers.signal).subscribe { _ in }
  }
  static func leaf(_ feed: Feed, _ pages: Signal<Int, Never>) -> any Disposable {
    Tracking.latest(of: feed.numbers.signal, for: pages).subscribe { _ in }
  }
  static func drop(_ feed: Feed) { Tracking.track(feed.numbers.signal) { _ in } }
}

struct Badge {
  static func show(_ feed: Feed) -> any Disposable {
    Tracking.track(feed.numbers.signal) { _ in }
  }

  static func follow(_ feed: Feed) -> any Disposable { Tracking.follow(feed.numbers.signal) }
  static func load() { Tracking.run(.just(1)) }
  static func forward(_ feed: Feed) -> any Disposable { Tracking.forward(feed.numbers.signal) }
  static func watch(_ feed: Feed) -> any Disposable { Tracking.withFeed(feed) }
  static func edit(_ state: MutableProperty<Int>) -> any Disposable {
    Tracking.changes(of: state.signal).subscribe { _ in }
  }
  static func leaf(_ state: MutableProperty<Int>, _ pages: Signal<Int, Never>) -> any Disposable {
    Tracking.latest(of: state.signal, for: pages).subscribe { _ in }
  }
}

struct Menu {
  static func show(_ feed: Feed) -> any Disposable {
    Tracking.track(feed.numbers.signal) { _ in }
  }
}
