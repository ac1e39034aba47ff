/// One decoded row of the table of chains (asynchronous backtraces).
public struct TraceChain: Sendable {
  /// Return addresses, innermost first.
  public var frames: [UInt64] = []
  /// The chain of the work that scheduled this work; 0 if there is none.
  public var parent: UInt32 = 0
  /// Row in the scheduler table; 0 if unknown.
  public var scheduler: UInt32 = 0
  /// How the work got from here to where it ran; nil for a kind that this version does not know.
  public var kind: HopKind? = .scheduler
  /// Whether older links are missing: left out to limit the length of the chain, lost or damaged.
  public var isCut = false
  /// Whether the work had already scheduled itself from here at least once.
  public var isRepeated = false
  /// The number of links from this one to the first, including this one.
  public var depth: UInt32 = 0

  /// Creates an empty value, to be filled in by the caller.
  public init() {}
}
