/// What went wrong with a trace, where, and what to do about it.
public struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  ///
  /// New codes may be added, so a `switch` needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// A short word that does not change.
    public let rawValue: String
    /// Creates a code from its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The operating system refused to open, create, read, map or enlarge a file.
    public static let system = Code(rawValue: "system")
    /// The file does not begin with the magic number, or is shorter than a header.
    public static let notATrace = Code(rawValue: "not-a-trace")
    /// The file has a major version that this package does not know.
    public static let unsupportedVersion = Code(rawValue: "unsupported-version")
    /// A length, offset or number in the file contradicts the file.
    public static let malformed = Code(rawValue: "malformed")
    /// The writer has not finished the header; try again.
    public static let notReady = Code(rawValue: "not-ready")
    /// Options that are misspelled, out of range, or not available in this version.
    public static let invalidOptions = Code(rawValue: "invalid-options")
    /// The process already has another trace, or was forked from a process that has one.
    public static let alreadyStarted = Code(rawValue: "already-started")

    /// The word.
    public var description: String { rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: what is wrong, what was expected, what to do.
  public let message: String
  /// The file it is about.
  public let path: String?
  /// Where in the file, in bytes from its start.
  public let byteOffset: UInt64?

  /// Describes a failure.
  public init(_ code: Code, _ message: String, path: String? = nil, byteOffset: UInt64? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.byteOffset = byteOffset
  }

  /// `'PATH', byte OFFSET: message`, without the unknown parts.
  public var description: String {
    let place = path.map { path in
      "'\(path)'" + (byteOffset.map { ", byte \($0)" } ?? "")
    }
    return place.map { "\($0): \(message)" } ?? message
  }
}
