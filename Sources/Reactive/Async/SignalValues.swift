import ReactiveTrace

/// What becomes of values that come faster than a task takes them.
public enum ValuesBuffering: Sendable, Hashable {
  /// All of them wait.
  case unbounded
  /// At most so many wait: the one that has waited longest gives way to a new one.
  case newest(Int)
  /// At most so many wait: a new one that finds no room is left out.
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
  /// As ``values(buffering:file:line:column:)`` with a buffer without a bound. A property cannot know the line
  /// that asks for it, so that traces show the one that made this signal.
  public var values: SignalValues<Value, Failure> {
    SignalValues(
      self,
      Site("values", site.file, UInt(site.line), UInt(site.column), .root),
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
  /// Each loop is a subscription of its own, which begins with the loop, and in the task: what a cold signal
  /// sends at once waits in the buffer, so that one that sends without a pause and without an end needs
  /// ``Signal/subscribe(on:file:line:column:noClosure:)``. The end comes after the values that wait.
  ///
  /// Cancellation goes both ways. Where the task is cancelled, the subscription ends, the values that wait are
  /// dropped, and so does the loop, without an error. Where the loop is left, the subscription ends. Where
  /// nothing can send any more, so does the loop (contract rule 11).
  ///
  /// What the subscription sets in motion leads back to the task in asynchronous backtraces; the body of the loop
  /// runs with that of the task, not with that of who sent the value.
  ///
  /// - Parameters:
  ///   - buffering: What becomes of values that come while the loop is busy.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A sequence that subscribes for each loop.
  public func values(
    buffering: ValuesBuffering,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> SignalValues<Value, Failure> {
    switch buffering {
    case .unbounded: break
    case .newest(let count), .oldest(let count):
      precondition(
        count >= 0,
        "values(buffering: \(count)): the count must be ≥ 0 (OperatorIndex, values)"
      )
    }
    return SignalValues(self, Site("values", file, line, column, .root), buffering)
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

  /// One subscription; it ends when the iterator is let go of.
  public struct Iterator: AsyncIteratorProtocol {
    private let handle: ValuesHandle<Value, Failure>

    init(_ handle: ValuesHandle<Value, Failure>) { self.handle = handle }

    /// Waits for the next value; nil at the end, and when the task is cancelled.
    public func next() async throws(Failure) -> Value? { try await next(isolation: nil) }

    /// Waits for the next value; nil at the end, and when the task is cancelled.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Throws: The signal's failure, once.
    /// - Returns: The value.
    public func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
      let result = await withTaskCancellationHandler(
        operation: { [handle] in
          await withCheckedContinuation(isolation: actor) { handle.take($0) }
        },
        onCancel: { [handle] in handle.end() },
        isolation: actor
      )
      return try result.get()
    }
  }

  /// All values as an array, when the signal completes.
  ///
  /// Where the task is cancelled, or nothing can send any more, those that have come.
  ///
  /// - Throws: The signal's failure.
  /// - Returns: As ``Signal/collect(file:line:column:)`` sends them.
  public func collect(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> [Value] {
    let iterator = makeAsyncIterator()
    var values: [Value] = []
    while let value = try await iterator.next(isolation: isolation) { values.append(value) }
    return values
  }
}
