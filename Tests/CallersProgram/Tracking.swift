import Reactive

/// Subscribes for others, as most programs have something that does.
enum Tracking {
  /// Keeps what is tracked until it is stopped.
  @discardableResult
  static func track(
    _ signal: Signal<Int, Never>,
    _ body: @escaping @Sendable (Int) -> Void
  ) -> any Disposable {
    signal
      .map { $0 + 1 }
      .subscribe { body($0) }
  }

  /// The same behind another helper, which all callers go through.
  static func follow(_ signal: Signal<Int, Never>) -> any Disposable {
    track(signal) { _ in }
  }

  /// Names the place of its caller in place of its own.
  static func forward(
    _ signal: Signal<Int, Never>,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> any Disposable {
    signal.subscribe(next: { _ in }, file: file, line: line, column: column)
  }

  /// From inside a closure that something else calls.
  static func withFeed(_ feed: Feed) -> any Disposable {
    feed.open { signal in signal.subscribe { _ in } }
  }

  /// Changes only: what is there already is left out.
  static func changes(of signal: Signal<Int, Never>) -> Signal<Int, Never> {
    signal.skip(1)
  }

  /// The same for each of some values, in an operator around it.
  static func latest(
    of signal: Signal<Int, Never>,
    for numbers: Signal<Int, Never>
  ) -> Signal<Int, Never> {
    numbers.flatMapLatest { number in signal.map { $0 + number }.skip(1) }
  }

  /// Subscribes to what may fail, and does not look.
  static func run(_ job: Signal<Int, Refusal>) {
    job.subscribe { _ in }
  }
}

struct Refusal: Error {}

/// Something that a program has one of.
final class Feed: Sendable {
  let numbers = Subject<Int, Never>()

  func open(_ body: (Signal<Int, Never>) -> any Disposable) -> any Disposable {
    body(numbers.signal.filter { $0 >= 0 })
  }
}
