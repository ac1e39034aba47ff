public import TraceFormat

/// Where an operator was applied: its name and the caller's file, line and column.
///
/// Made from literals, so that it costs no allocation.
public struct Site: Sendable, CustomStringConvertible {
  /// The operator's name, such as `map` or `take(until:)`.
  public let name: StaticString
  /// `#fileID` of the caller: module, slash, file name.
  public let file: StaticString
  /// Line of the caller, from 1.
  public let line: UInt32
  /// Column of the caller, from 1.
  public let column: UInt32
  /// What the operator does, as far as it is known without running it.
  public let traits: SiteTraits

  /// Creates a site.
  ///
  /// Operators pass `#fileID`, `#line` and `#column` as they received them.
  @inlinable @inline(__always)
  public init(
    _ name: StaticString,
    _ file: StaticString,
    _ line: UInt,
    _ column: UInt,
    _ traits: SiteTraits = []
  ) {
    self.name = name
    self.file = file
    self.line = UInt32(truncatingIfNeeded: line)
    self.column = UInt32(truncatingIfNeeded: column)
    self.traits = traits
  }

  /// For example `map @ Feed.swift:12`.
  public var description: String { "\(name) @ \(place)" }

  /// For example `Feed.swift:12`: the file without its module.
  public var place: String {
    let path = "\(file)"
    let file = path.split(separator: "/").last ?? Substring(path)
    return "\(file):\(line)"
  }
}
