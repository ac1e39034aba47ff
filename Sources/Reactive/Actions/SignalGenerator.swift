/// Makes signals from inputs: a function as an object, which can be passed around and composed.
///
/// ```swift
/// let user = SignalGenerator { id in server.user(id) }
/// let posts = SignalGenerator { user in server.posts(of: user) }
/// ids.flatMap { user.postcompose(posts).signal(for: $0) }
/// ```
public final class SignalGenerator<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  private let make: @Sendable (SignalGenerator, Input) -> Signal<Output, Failure>

  /// A generator that calls a closure for each signal.
  ///
  /// - Parameter make: Called once for each signal.
  public init(_ make: @escaping @Sendable (Input) -> Signal<Output, Failure>) {
    self.make = { _, input in make(input) }
  }

  /// A generator whose closure gets the generator itself, so that a signal can continue with
  /// another signal of the same generator.
  ///
  /// ```swift
  /// let pages = SignalGenerator(reflexive: { pages, url in
  ///   server.page(url).flatMap { page in
  ///     .just(page).append(page.next.map { pages.signal(for: $0) } ?? .empty())
  ///   }
  /// })
  /// ```
  ///
  /// The closure must use the generator that it gets as an argument: if it captured the generator,
  /// the generator would live for ever. A generator that is used as in the example lives for as
  /// long as something holds it, or a signal that it made still uses it.
  ///
  /// - Parameter make: Called with the generator and the input, once for each signal.
  public init(
    reflexive make: @escaping @Sendable (SignalGenerator, Input) -> Signal<Output, Failure>
  ) {
    self.make = make
  }

  /// The signal for an input.
  ///
  /// The signal is made, but not subscribed to.
  public func signal(for input: Input) -> Signal<Output, Failure> { make(self, input) }

  /// A generator that makes a signal with this generator, and turns each value of that signal into
  /// another signal with `other`.
  ///
  /// - Parameters:
  ///   - other: Makes a signal from each value; these signals run at the same time (see `flatMap`).
  /// - Returns: A generator that keeps both generators alive.
  public func postcompose<Result: Sendable>(
    _ other: SignalGenerator<Output, Result, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> SignalGenerator<Input, Result, Failure> {
    SignalGenerator<Input, Result, Failure> { [self] input in
      signal(for: input).flatMap(
        { other.signal(for: $0) },
        file: file,
        line: line,
        column: column
      )
    }
  }

  /// An action whose executions are subscriptions of the signals of this generator.
  ///
  /// - Parameters:
  ///   - isAllowed: Sends whether executions may be requested; until its first value, they may.
  ///   - policy: What happens to a request while an execution is running.
  ///   - scheduler: Where the action's signals send.
  /// - Returns: An action that takes the inputs of this generator, and keeps the generator alive.
  public func action(
    enabledIf isAllowed: Signal<Bool, Never>? = nil,
    policy: ActionPolicy = .reject,
    on scheduler: some Scheduler = UIScheduler.shared,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Action<Input, Output, Failure> {
    Action(
      enabledIf: isAllowed,
      policy: policy,
      on: scheduler,
      { [self] in signal(for: $0) },
      file: file,
      line: line,
      column: column
    )
  }
}

extension Signal {
  /// A generator that returns this signal for every input.
  ///
  /// - Parameter input: The type of the generator's inputs.
  /// - Returns: A generator that keeps this signal alive.
  public func generator<Input: Sendable>(
    for input: Input.Type = Input.self
  ) -> SignalGenerator<Input, Value, Failure> {
    SignalGenerator { [self] _ in self }
  }
}
