/// The values that have one key, as a signal: what ``Signal/groupBy(_:file:line:column:)`` sends.
public struct GroupedSignal<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
  /// What the values have in common.
  public let key: Key

  /// The values from now on: hot.
  ///
  /// Who subscribes first also gets what came before, which is kept as long as this signal is held; later
  /// subscribers do not.
  public let signal: Signal<Value, Failure>

  @usableFromInline
  init(key: Key, signal: Signal<Value, Failure>) {
    self.key = key
    self.signal = signal
  }
}
