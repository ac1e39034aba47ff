import Reactive

/// A helper that subscribes for several callers; most programs have such a helper.
enum Tracking {
  /// Subscribes on behalf of its caller, which has to dispose of the subscription.
  @discardableResult
  static func track(
    _ signal: Signal<Int, Never>,
    _ body: @escaping @Sendable (Int) -> Void
  ) -> any Disposable {
    signal
      .map { $0 + 1 }
      .subscribe { body($0) }
  }

  /// Subscribes through another helper, so that two of them are between the caller and `subscribe`.
  static func follow(_ signal: Signal<Int, Never>) -> any Disposable {
    track(signal) { _ in }
  }

  /// Passes on the source location of its caller, which a trace shows instead of this line.
  static func forward(
    _ signal: Signal<Int, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    signal.subscribe(next: { _ in }, file: file, line: line, column: column)
  }

  /// Subscribes inside a closure that another object calls.
  static func withFeed(_ feed: Feed) -> any Disposable {
    feed.open { signal in signal.subscribe { _ in } }
  }

  /// Leaves out the first value, which is the current value if the signal belongs to a property.
  static func changes(of signal: Signal<Int, Never>) -> Signal<Int, Never> {
    signal.skip(1)
  }

  /// Leaves out the first value of `signal` anew for each value of `numbers`.
  static func latest(
    of signal: Signal<Int, Never>,
    for numbers: Signal<Int, Never>
  ) -> Signal<Int, Never> {
    numbers.flatMapLatest { number in signal.map { $0 + number }.skip(1) }
  }

  /// Subscribes to a signal that may fail, and does not handle the failure.
  static func run(_ job: Signal<Int, Refusal>) {
    job.subscribe { _ in }
  }
}

struct Refusal: Error {}

/// An object of which a program has only one.
final class Feed: Sendable {
  let numbers = Subject<Int, Never>()

  func open(_ body: (Signal<Int, Never>) -> any Disposable) -> any Disposable {
    body(numbers.signal.filter { $0 >= 0 })
  }
}
