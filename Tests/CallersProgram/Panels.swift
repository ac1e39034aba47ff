import Reactive

/// Three screens that use the helper.
struct Tile {
  /// What it tracks lives on.
  static func open(_ feed: Feed) -> any Disposable {
    Tracking.track(feed.numbers.signal) { _ in }
  }

  static func follow(_ feed: Feed) -> any Disposable { Tracking.follow(feed.numbers.signal) }
  static func load() { Tracking.run(.failed(Refusal())) }
  static func forward(_ feed: Feed) -> any Disposable { Tracking.forward(feed.numbers.signal) }
  static func watch(_ feed: Feed) -> any Disposable { Tracking.withFeed(feed) }
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
}

struct Menu {
  static func show(_ feed: Feed) -> any Disposable {
    Tracking.track(feed.numbers.signal) { _ in }
  }
}
