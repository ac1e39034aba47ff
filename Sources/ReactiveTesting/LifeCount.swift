import Synchronization

/// Counts objects that are alive, so that a test can check that closures and buffers are freed.
///
/// ```swift
/// let lives = LifeCount()
/// let subscription = signal.subscribe { [token = lives.token()] _ in token.touch() }
/// subscription.dispose()
/// #expect(lives.count == 0)
/// ```
public final class LifeCount: Sendable {
  private let alive = Atomic<Int>(0)

  /// Creates a count of zero.
  public init() {}

  /// The number of tokens that are alive.
  public var count: Int { alive.load(ordering: .acquiring) }

  /// Creates a token, which is counted until it is freed.
  public func token() -> Token { Token(self) }

  /// An object that is counted while it is alive.
  public final class Token: Sendable {
    private let lives: LifeCount

    fileprivate init(_ lives: LifeCount) {
      self.lives = lives
      lives.alive.wrappingAdd(1, ordering: .relaxed)
    }

    deinit { lives.alive.wrappingSubtract(1, ordering: .releasing) }

    /// Does nothing, but a closure that calls it retains the token.
    public func touch() {}
  }
}
