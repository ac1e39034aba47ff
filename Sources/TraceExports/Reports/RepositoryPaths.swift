import Glibc
import TraceModel

/// Maps the file names that the compiler and debug information use to paths in a repository.
///
/// The compiler calls a file `Module/File.swift`, whatever folder it is in. Debug information
/// contains the path at compile time. Without debug information, the file must be in the folder of
/// the module's target, or else in a folder named after the module. If several files match, there
/// is no path.
struct RepositoryPaths {
  /// The root without symbolic links, and without a trailing slash.
  let root: String
  /// Paths relative to the root, by file name.
  private let files: [String: [String]]
  /// The folders of targets that the package's manifest names, by module.
  private let folders: [String: String]

  /// Lists the source files below a folder.
  ///
  /// - Complexity: O(files below the folder).
  init(below root: String) {
    let resolved = Self.resolved(root) ?? root
    let endings = [".swift", ".c", ".cc", ".cpp", ".m", ".mm", ".h"]
    self.init(
      root: resolved,
      files: SourceTree.files(below: resolved) { name in endings.contains(where: name.hasSuffix) },
      manifest: Self.text(of: resolved + "/Package.swift")
    )
  }

  init(root: String, files: [String: [String]], manifest: String = "") {
    self.root = root
    self.files = files
    folders = Self.folders(in: manifest)
  }

  /// The Git repository that contains a folder; the folder itself if there is none.
  static func repository(around folder: String) -> String {
    guard var here = resolved(folder) else { return folder }
    let own = here
    while access(here + "/.git", F_OK) != 0 {
      guard let slash = here.lastIndex(of: "/"), slash > here.startIndex else { return own }
      here = String(here[..<slash])
    }
    return here
  }

  /// The path of a file below the root.
  ///
  /// - Parameters:
  ///   - file: `Module/File.swift`, or the file name alone.
  ///   - compiled: The paths that it may have had when it was compiled, most likely first; empty
  ///     without debug information.
  /// - Returns: The path relative to the root; nil if there is no such file, or several match.
  func path(of file: String, compiledAt compiled: [String]) -> String? {
    let there = compiled.compactMap { Self.resolved($0.hasPrefix("/") ? $0 : root + "/" + $0) }
      .filter { $0.hasPrefix(root + "/") }
    if let path = SourceSearch(file: file, paths: there).original(exists: { _ in true }) {
      return String(path.dropFirst(root.count + 1))
    }
    let candidates = files[file.split(separator: "/").last.map(String.init) ?? ""] ?? []
    if !compiled.isEmpty {
      guard
        case .found(let path) = SourceSearch(file: file, paths: compiled).choice(among: candidates)
      else { return nil }
      return path
    }
    guard let slash = file.firstIndex(of: "/") else { return nil }
    let module = String(file[..<slash])
    let ofTarget = candidates.filter { path in
      folders[module].map { path.hasPrefix($0 + "/") } ?? false
    }
    let ofModule = candidates.filter { path in
      path.split(separator: "/").dropLast().contains { Self.module(String($0)) == module }
    }
    let meant = ofTarget.isEmpty ? ofModule : ofTarget
    return meant.count == 1 ? meant[0] : nil
  }

  // MARK: Targets

  /// The module name of a target, in which characters other than letters and digits are replaced by
  /// underscores.
  private static func module(_ target: String) -> String {
    String(target.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }

  /// The folders that a manifest names with `path:`, by module.
  private static func folders(in manifest: String) -> [String: String] {
    var folders: [String: String] = [:]
    var target: String?
    let words =
      /\.(?:executableTarget|testTarget|target|macro|plugin)\(\s*name:\s*"([^"]+)"\s*,|\bpath:\s*"([^"]+)"/
    for match in manifest.matches(of: words) {
      if let name = match.output.1 {
        target = String(name)
      } else if let path = match.output.2, let name = target {
        folders[module(name)] = path.split(separator: "/").filter { $0 != "." }.joined(
          separator: "/"
        )
        target = nil
      }
    }
    return folders
  }

  // MARK: Files

  /// The path with its symbolic links resolved; nil if it does not exist.
  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  private static func text(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
  }
}
