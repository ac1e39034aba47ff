import TraceFormat

/// What happens to values that come faster than a task takes them.
public enum ValuesBuffering: Sendable, Hashable {
  /// All values are buffered.
  case unbounded
  /// At most this many values are buffered: when the buffer is full, the oldest value is dropped.
  case newest(Int)
  /// At most this many values are buffered: when the buffer is full, the new value is dropped.
  case oldest(Int)
}

extension Signal {
  /// The values, for a `for await` loop of a Swift task.
  ///
  /// ```swift
  /// for await price in prices.values { show(price) }       // where Failure is Never
  /// for try await line in lines.values { show(line) }      // throws the signal's failure
  /// ```
  ///
  /// Same as ``values(buffering:file:line:column:)`` with an unbounded buffer. A property cannot
  /// know its call site, so traces show the line that made this signal.
  public var values: SignalValues<Value, Failure> {
    SignalValues(
      self,
      Site("values", site.file, UInt(site.line), UInt(site.column), [.root, .handlesEnd]),
      .unbounded
    )
  }

  /// The values, for a `for await` loop of a Swift task.
  ///
  /// ```
  /// signal   -1--2-|
  /// loop     -1--2-    then it ends; where the signal fails, it throws
  /// ```
  ///
  /// Each loop has its own subscription, which begins with the loop, in the task. What a cold
  /// signal sends at once is buffered, so a signal that sends without a pause and without an end
  /// must be moved to a scheduler with ``Signal/subscribe(on:file:line:column:noClosure:)``. The
  /// end comes after the buffered values.
  ///
  /// Cancellation goes both ways. If the task is cancelled, the subscription ends, the buffered
  /// values are dropped, and the loop ends without an error. If the program leaves the loop, the
  /// subscription ends. If nothing can send any more, the loop ends as well (event contract, rule
  /// 11).
  ///
  /// Asynchronous backtraces of work that the subscription starts lead back to the task. The body
  /// of the loop runs with the backtrace of the task, not with that of the sender.
  ///
  /// - Parameters:
  ///   - buffering: What happens to values that come while the loop is busy.
  /// - Returns: A sequence that subscribes for each loop.
  public func values(
    buffering: ValuesBuffering,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> SignalValues<Value, Failure> {
    switch buffering {
    case .unbounded: break
    case .newest(let count), .oldest(let count):
      precondition(
        count >= 0,
        "values(buffering: \(count)): the count must be ≥ 0 (OperatorIndex, values)"
      )
    }
    return SignalValues(self, Site("values", file, line, column, [.root, .handlesEnd]), buffering)
  }
}

/// The values of a signal as an asynchronous sequence; see ``Signal/values``.
public struct SignalValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
  private let signal: Signal<Value, Failure>
  private let site: Site
  private let buffering: ValuesBuffering

  init(_ signal: Signal<Value, Failure>, _ site: Site, _ buffering: ValuesBuffering) {
    self.signal = signal
    self.site = site
    self.buffering = buffering
  }

  /// Subscribes to the signal.
  public func makeAsyncIterator() -> Iterator {
    Iterator(ValuesHandle(signal, site, ValuesQueue(buffering)))
  }

  /// One subscription, which ends when the iterator is released.
  public struct Iterator: AsyncIteratorProtocol {
    private let handle: ValuesHandle<Value, Failure>

    init(_ handle: ValuesHandle<Value, Failure>) { self.handle = handle }

    /// Waits for the next value; nil at the end, and when the task is cancelled.
    public func next() async throws(Failure) -> Value? { try await next(isolation: nil) }

    /// Waits for the next value; nil at the end, and when the task is cancelled.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Throws: The signal's failure; calls after that return nil.
    /// - Returns: The next value; nil at the end, and when the task is cancelled.
    public func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
      let result = await withTaskCancellationHandler(
        operation: { [handle] in
          await withCheckedContinuation(isolation: actor) { handle.resume($0) }
        },
        onCancel: { [handle] in handle.end() },
        isolation: actor
      )
      return try result.get()
    }
  }

  /// Waits for the completion of the signal, and returns all values as an array.
  ///
  /// If the task is cancelled, or nothing can send any more, it returns the values so far.
  ///
  /// - Throws: The signal's failure.
  /// - Returns: The values, as ``Signal/collect(file:line:column:)`` sends them.
  public func collect(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> [Value] {
    let iterator = makeAsyncIterator()
    var values: [Value] = []
    while let value = try await iterator.next(isolation: isolation) { values.append(value) }
    return values
  }
}
