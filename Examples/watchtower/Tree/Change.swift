/// What happens in the watched tree.
///
/// Paths begin with the watched directory.
enum Change: Sendable, Equatable {
  /// All files there are: sent first, and again when the system lost count of the changes.
  case snapshot([String])
  /// A file is there and may have new content.
  case touched(String)
  /// A file is gone.
  case gone(String)
  /// Part of the tree cannot be watched.
  case blind(directory: String, reason: String)
}

/// Why the tree cannot be watched at all, or no longer.
struct TreeFailure: Error, CustomStringConvertible {
  let description: String

  init(_ directory: String, _ reason: String) {
    description = "cannot watch '\(directory)': \(reason)"
  }
}
