/// Which file of this machine is the one that a program was compiled from.
///
/// A file of the same name in another folder is another file: where it is not certain, nothing is opened.
public struct SourceSearch: Sendable {
  /// What was found.
  public enum Answer: Sendable, Equatable {
    /// The file.
    case found(String)
    /// The only one of its name; nothing tells whether it is the one.
    case only(String)
    /// Several may be meant, or none of those of that name seems to be.
    case unsure([String])
    /// There is none of that name.
    case none
  }

  /// As the compiler named it: `Module/File.swift`.
  public var file: String
  /// Where it was according to debug information, the likeliest first.
  public var paths: [String]

  /// A search for a file.
  public init(file: String, paths: [String]) {
    self.file = file
    self.paths = paths
  }

  /// The path of debug information, if there is one file there.
  ///
  /// - Parameter exists: Whether there is a file at a path.
  /// - Returns: Nil if there is none, or several.
  public func original(exists: (String) -> Bool) -> String? {
    let there = paths.filter { $0.hasPrefix("/") && exists($0) }
    if there.count < 2 { return there.first }
    let ofModule = there.filter(isOfModule)
    return ofModule.count == 1 ? ofModule[0] : nil
  }

  /// Chooses among files of that name.
  ///
  /// - Parameter candidates: Their paths.
  /// - Returns: With debug information, the one that has the most folders in common with it, and at least one; else
  ///   the one in a folder called like the module.
  public func choice(among candidates: [String]) -> Answer {
    if candidates.isEmpty { return .none }
    guard !paths.isEmpty else {
      let ofModule = candidates.filter(isOfModule)
      if ofModule.count == 1 { return .found(ofModule[0]) }
      if candidates.count == 1 { return .only(candidates[0]) }
      return .unsure(ofModule.isEmpty ? candidates : ofModule)
    }
    let ranked = candidates.map { candidate in
      (path: candidate, common: paths.map { Self.commonEnd($0, candidate) }.max() ?? 0)
    }
    let most = ranked.map(\.common).max() ?? 0
    let best = ranked.filter { $0.common == most }.map(\.path)
    // The name alone is in common with any file of that name.
    return most > 1 && best.count == 1 ? .found(best[0]) : .unsure(best)
  }

  /// How many parts two paths have in common at their ends.
  private static func commonEnd(_ one: String, _ other: String) -> Int {
    zip(one.split(separator: "/").reversed(), other.split(separator: "/").reversed())
      .prefix { $0 == $1 }.count
  }

  private func isOfModule(_ path: String) -> Bool {
    let module = file.split(separator: "/").first
    return path.split(separator: "/").dropLast().contains { $0 == module }
  }
}
