/// The values that have one key: what ``Signal/groupBy(_:file:line:column:)`` sends.
///
/// A group is a signal, hot, of the values from now on. The first subscriber also gets what came before, which
/// is kept as long as the group is held; later subscribers do not.
public final class GroupedSignal<Key: Hashable & Sendable, Value: Sendable, Failure: Error>:
  Signal<Value, Failure>, @unchecked Sendable
{
  // Unchecked as its superclass is: the key is a constant.

  /// What the values have in common.
  public let key: Key

  /// The group itself, as a plain signal.
  public var signal: Signal<Value, Failure> { self }

  @usableFromInline
  init(key: Key, _ site: Site, start: @escaping Start) {
    self.key = key
    super.init(direct: site, start: start)
  }
}
