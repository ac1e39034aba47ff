/// A loaded executable or library, as recorded.
public struct TraceImage: Sendable {
  /// The path of its file.
  public var path = ""
  /// The address it was loaded at.
  public var base: UInt64 = 0
  /// The address after its last executable byte.
  public var endOfText: UInt64 = 0
  /// Its build identifier; empty if it has none.
  public var buildID: [UInt8] = []

  /// Creates an empty value, to be filled in by the caller.
  public init() {}
}
