import TraceFormat
package import TraceReading

/// The names of the signals in the records, composed as ``SignalNames`` does for an instant.
package struct RecordedNames {
  private let tree: RecordedSignals
  private var names: [EntityKey: String] = [:]

  package init(_ store: EntityStore, _ snapshot: TraceSnapshot) {
    tree = RecordedSignals(store, SignalWords(snapshot))
  }

  /// The name of a signal, or of the signal of a subscription; nil if the trace does not have it.
  package mutating func name(of entry: EntityStore.Life) -> String? {
    guard let signal = tree.signal(of: entry) else { return nil }
    if let name = names[signal.key] { return name }
    var writer = NameWriter(tree)
    let name = writer.name(of: signal)
    names[signal.key] = name
    return name
  }
}

/// This is a class, because its contents are too large to be copied for each name.
private final class RecordedSignals: SignalTree {
  let store: EntityStore
  let words: SignalWords

  init(_ store: EntityStore, _ words: SignalWords) {
    self.store = store
    self.words = words
  }

  func signal(of entry: EntityStore.Life) -> EntityStore.Life? {
    switch entry.kind {
    case .signal: entry
    case .subscription: signal(entry.signal, of: entry)
    case .none, .timer, .owner: nil
    }
  }

  /// The signal to which an identifier referred when the entity that mentions it was made.
  private func signal(_ id: TraceID, of entry: EntityStore.Life) -> EntityStore.Life? {
    store.life(id, at: entry.firstRow).flatMap { $0.kind == .signal ? $0 : nil }
  }

  func identity(of entry: EntityStore.Life) -> EntityKey { entry.key }
  func name(of entry: EntityStore.Life) -> String? { words.name(entry.name) }
  func operation(of entry: EntityStore.Life) -> String { words.operation(entry.site) }

  func argument(of entry: EntityStore.Life) -> SignalSpelling.Argument {
    words.argument(entry.argument)
  }

  func inputs(of entry: EntityStore.Life) -> [EntityStore.Life?] {
    words.inputs(of: entry.key, entry.site, entry.link).map { id in
      id.flatMap { signal($0, of: entry) }
    }
  }
}
