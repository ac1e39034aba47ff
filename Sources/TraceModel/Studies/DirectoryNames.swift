import TraceFormat
package import TraceReading

/// The names of the signals that a directory has, put together as ``SignalNames`` does for an instant.
package struct DirectoryNames {
  private let tree: DirectorySignals
  private var names: [EntityKey: String] = [:]

  package init(_ directory: EntityDirectory, _ snapshot: TraceSnapshot) {
    tree = DirectorySignals(directory, SignalWords(snapshot))
  }

  /// The name of a signal, or of that of a subscription; nil where the trace does not have it.
  package mutating func name(of entry: EntityDirectory.Entry) -> String? {
    guard let signal = tree.signal(of: entry) else { return nil }
    if let name = names[signal.key] { return name }
    var writer = NameWriter(tree)
    let name = writer.name(of: signal)
    names[signal.key] = name
    return name
  }
}

/// A class, for what it holds is too much to be copied for each name.
private final class DirectorySignals: SignalTree {
  let directory: EntityDirectory
  let words: SignalWords

  init(_ directory: EntityDirectory, _ words: SignalWords) {
    self.directory = directory
    self.words = words
  }

  func signal(of entry: EntityDirectory.Entry) -> EntityDirectory.Entry? {
    switch entry.kind {
    case .signal: entry
    case .subscription: signal(entry.signal, of: entry)
    case .none, .timer, .owner: nil
    }
  }

  /// Who an identifier meant when an entity was made that refers to it.
  private func signal(
    _ id: TraceID,
    of entry: EntityDirectory.Entry
  ) -> EntityDirectory.Entry? {
    directory.entry(id, at: entry.firstRow).flatMap { $0.kind == .signal ? $0 : nil }
  }

  func identity(of entry: EntityDirectory.Entry) -> EntityKey { entry.key }
  func name(of entry: EntityDirectory.Entry) -> String? { words.name(entry.name) }
  func operation(of entry: EntityDirectory.Entry) -> String { words.operation(entry.site) }

  func argument(of entry: EntityDirectory.Entry) -> SignalSpelling.Argument {
    words.argument(entry.argument)
  }

  func inputs(of entry: EntityDirectory.Entry) -> [EntityDirectory.Entry?] {
    words.inputs(of: entry.key, entry.site, entry.link).map { id in
      id.flatMap { signal($0, of: entry) }
    }
  }
}
