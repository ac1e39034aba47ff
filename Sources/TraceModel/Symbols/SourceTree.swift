import Glibc

/// The files in a folder and in the folders below it.
public enum SourceTree {
  /// Looks for files by their names.
  ///
  /// Leaves out hidden files and folders, and everything that is more than eight folders deep or
  /// behind a symbolic link. The search ends after 20,000 folders.
  ///
  /// - Parameters:
  ///   - root: The folder; one that cannot be read has no files.
  ///   - isWanted: Whether files of a name are wanted.
  /// - Returns: The paths of the files, relative to `root`, by file name. Paths with fewer folders
  ///   come first, and otherwise they are in alphabetical order.
  /// - Complexity: O(files below `root`).
  public static func files(below root: String, _ isWanted: (String) -> Bool) -> [String: [String]] {
    var folders = [(path: "", depth: 0)]
    var found: [String: [String]] = [:]
    var seen = 0
    while seen < min(folders.count, 20_000) {
      let (folder, depth) = folders[seen]
      seen += 1
      guard let directory = opendir(folder.isEmpty ? root : root + "/" + folder) else { continue }
      defer { closedir(directory) }
      var inner: [String] = []
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard !name.hasPrefix(".") else { continue }
        let path = folder.isEmpty ? name : folder + "/" + name
        if entry.pointee.d_type == UInt8(DT_DIR), depth < 8 { inner.append(path) }
        if entry.pointee.d_type == UInt8(DT_REG), isWanted(name) {
          found[name, default: []].append(path)
        }
      }
      // The system lists folders in an arbitrary order.
      folders += inner.sorted().map { ($0, depth + 1) }
    }
    return found
  }
}
