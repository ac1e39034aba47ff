/// A signal of the values that share one key; sent by ``Signal/groupBy(_:file:line:column:)``.
///
/// A group is hot: a subscriber gets only values that are sent after it has subscribed. The
/// exception is the first subscriber, which also gets the earlier values, because the group keeps
/// them until then.
public final class GroupedSignal<Key: Hashable & Sendable, Value: Sendable, Failure: Error>:
  Signal<Value, Failure>, @unchecked Sendable
{
  // This class is `@unchecked Sendable` because its superclass is; the key is a constant.

  /// The key that the values share.
  public let key: Key

  /// The group itself, as a plain signal.
  public var signal: Signal<Value, Failure> { self }

  @usableFromInline
  init(key: Key, _ site: Site, start: @escaping Start) {
    self.key = key
    super.init(direct: site, start: start)
  }
}
