import Synchronization

/// Counts objects that are alive, to see that closures and buffers are freed.
///
/// ```swift
/// let lives = LifeCount()
/// let subscription = signal.subscribe { [token = lives.token()] _ in token.touch() }
/// subscription.dispose()
/// #expect(lives.count == 0)
/// ```
public final class LifeCount: Sendable {
  private let alive = Atomic<Int>(0)

  /// Nothing counted yet.
  public init() {}

  /// Tokens that are alive.
  public var count: Int { alive.load(ordering: .acquiring) }

  /// An object that counts until it is released.
  public func token() -> Token { Token(self) }

  /// Counts as long as it is alive.
  public final class Token: Sendable {
    private let lives: LifeCount

    fileprivate init(_ lives: LifeCount) {
      self.lives = lives
      lives.alive.wrappingAdd(1, ordering: .relaxed)
    }

    deinit { lives.alive.wrappingSubtract(1, ordering: .releasing) }

    /// Does nothing, but uses the token: a closure that calls it keeps it.
    public func touch() {}
  }
}
