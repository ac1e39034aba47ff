/// Finds the file on this machine from which a program was compiled.
///
/// A file of the same name in another folder may be a different file: if it is not clear which file
/// is the right one, none is chosen, and a choice without evidence is marked as such.
public struct SourceSearch: Sendable {
  /// The result of a search.
  public enum Answer: Sendable, Equatable {
    /// The file.
    case found(String)
    /// The only file of that name, without evidence that it is the right one.
    case only(String)
    /// Several files match, or none of those with that name seems right.
    case unsure([String])
    /// There is no file of that name.
    case none
  }

  /// The file as the compiler named it: `Module/File.swift`.
  public var file: String
  /// Its locations according to debug information, the likeliest first.
  public var paths: [String]

  /// A search for a file.
  public init(file: String, paths: [String]) {
    self.file = file
    self.paths = paths
  }

  /// The only path from debug information that exists, or, if several exist, the only one of them
  /// in a folder named like the module.
  ///
  /// - Parameter exists: Whether there is a file at a path.
  /// - Returns: That path; nil if there is none.
  public func original(exists: (String) -> Bool) -> String? {
    let there = paths.filter { $0.hasPrefix("/") && exists($0) }
    if there.count < 2 { return there.first }
    let ofModule = there.filter(isOfModule)
    return ofModule.count == 1 ? ofModule[0] : nil
  }

  /// Chooses among files with the name of ``file``.
  ///
  /// - Parameter candidates: Their paths.
  /// - Returns: With debug information, the file that shares the most last folders with one of
  ///   ``paths``, if it shares at least one. Without debug information, the only file in a folder
  ///   named like the module, or the only file at all.
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
    // The file name alone is shared by all candidates.
    return most > 1 && best.count == 1 ? .found(best[0]) : .unsure(best)
  }

  /// The number of trailing components that two paths have in common.
  private static func commonEnd(_ one: String, _ other: String) -> Int {
    zip(one.split(separator: "/").reversed(), other.split(separator: "/").reversed())
      .prefix { $0 == $1 }.count
  }

  private func isOfModule(_ path: String) -> Bool {
    let module = file.split(separator: "/").first
    return path.split(separator: "/").dropLast().contains { $0 == module }
  }
}
