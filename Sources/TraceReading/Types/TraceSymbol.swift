/// A function at a return address, as determined after the recording.
public struct TraceSymbol: Sendable, Hashable {
  /// The return address, as on the stacks.
  public var address: UInt64 = 0
  /// Its demangled name; empty if it is not known.
  public var function = ""
  /// The path of the source file; empty if it is not known.
  public var file = ""
  /// The line of the call; 0 if it is not known.
  public var line: UInt32 = 0
  /// Whether the function was inlined into that of the next symbol.
  public var isInlined = false
  /// The reason why something is not known; empty if there is none.
  public var note = ""

  /// Creates an empty value, to be filled in by the caller.
  public init() {}
}
