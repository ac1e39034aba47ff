public import Reactive

/// Collects what a signal sends, with the virtual time of each event.
///
/// A recorder can be shared between threads, so it can also be used in a `@Sendable` closure, which
/// cannot change a captured variable:
///
/// ```swift
/// let seen = Recorder<Int, Never>()
/// signal.subscribe { seen.next($0) }
/// #expect(seen.values == [1, 2])
/// ```
public final class Recorder<Value: Sendable, Failure: Error>: Sendable {
  /// An event and the time of its arrival.
  public struct Entry: Sendable {
    /// The virtual time; zero without a scheduler.
    public let time: Duration
    /// The event.
    public let event: Event<Value, Failure>
  }

  private let list = Locked<[Entry]>([])
  private let scheduler: TestScheduler?
  private let held = SerialDisposable()

  /// Creates a recorder without a subscription.
  ///
  /// - Parameter scheduler: The scheduler whose time is recorded with each event; with nil, all
  ///   times are zero.
  public init(at scheduler: TestScheduler? = nil) { self.scheduler = scheduler }

  /// Subscribes to a signal, and ends the subscription made by an earlier call.
  ///
  /// - Parameters:
  ///   - signal: The signal to record.
  /// - Returns: The subscription, which ``dispose()`` ends too.
  @discardableResult
  public func record(
    _ signal: Signal<Value, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    let disposable = signal.subscribe(
      next: { self.next($0) },
      failed: { self.fail($0) },
      completed: { self.complete() },
      file: file,
      line: line,
      column: column
    )
    held.inner = disposable
    return disposable
  }

  /// Ends the subscription.
  public func dispose() { held.dispose() }

  /// Whether the subscription has ended, with or without an event.
  public var isDisposed: Bool { held.inner?.isDisposed ?? held.isDisposed }

  // MARK: Adding

  /// Records a value.
  public func next(_ value: Value) { append(.next(value)) }

  /// Records a failure.
  public func fail(_ error: Failure) { append(.failed(error)) }

  /// Records completion.
  public func complete() { append(.completed) }

  /// Records any event.
  public func append(_ event: Event<Value, Failure>) {
    let entry = Entry(time: scheduler?.now ?? .zero, event: event)
    list.withLock { $0.append(entry) }
  }

  /// Removes everything recorded so far.
  public func reset() { list.withLock { $0 = [] } }

  // MARK: Reading

  /// All events with their times, in the order of arrival.
  public var entries: [Entry] { list.withLock { $0 } }

  /// The events without their times.
  public var events: [Event<Value, Failure>] { entries.map(\.event) }

  /// The number of values recorded; cheaper than counting ``values``.
  public var count: Int { list.withLock { list in list.count { !$0.event.isTerminal } } }

  /// The values alone.
  public var values: [Value] {
    events.compactMap { if case .next(let value) = $0 { value } else { nil } }
  }

  /// The failure, if one was recorded.
  public var failure: Failure? {
    events.lazy.compactMap { if case .failed(let error) = $0 { error } else { nil } }.first
  }

  /// Whether completion was recorded.
  public var isCompleted: Bool {
    events.contains { if case .completed = $0 { true } else { false } }
  }

  /// The events so far as a diagram, in frames of the scheduler.
  ///
  /// - Parameter legend: What characters of the diagram stand for: the descriptions of values, if
  ///   these descriptions are longer than one character. If the legend lacks such a description,
  ///   the value gets a capital letter, from `A` on.
  /// - Returns: A diagram to compare or to print.
  public func marbles(where legend: [Character: String] = [:]) -> Marbles {
    var writer = MarbleWriter(legend)
    return writer.marbles(entries, frame: frame)
  }

  /// The length of a frame.
  var frame: Duration { scheduler?.frame ?? .frames(1) }

  /// Whether a failure or completion was recorded.
  public var hasEnded: Bool { events.contains { $0.isTerminal } }
}

extension Signal {
  /// Subscribes and records all events.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler whose time is recorded with each event; with nil, all times are
  ///     zero.
  /// - Returns: The recorder. Releasing it does not end the subscription (rule 7 of Reactive's
  ///   event contract).
  public func recorded(
    at scheduler: TestScheduler? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Recorder<Value, Failure> {
    let recorder = Recorder<Value, Failure>(at: scheduler)
    recorder.record(self, file: file, line: line, column: column)
    return recorder
  }
}
