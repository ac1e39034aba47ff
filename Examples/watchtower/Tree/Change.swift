/// A change in the watched tree.
///
/// Paths begin with the watched directory.
enum Change: Sendable, Equatable {
  /// All files of the tree: sent first, and again if the system has dropped notifications.
  case snapshot([String])
  /// A file exists and may have new contents.
  case touched(String)
  /// A file or a directory is gone.
  case gone(String)
  /// Part of the tree cannot be watched.
  case blind(directory: String, reason: String)
}

/// Why the tree cannot be watched, or can no longer be watched.
struct TreeFailure: Error, CustomStringConvertible {
  let description: String

  init(_ directory: String, _ reason: String) {
    description = "cannot watch '\(directory)': \(reason)"
  }
}
