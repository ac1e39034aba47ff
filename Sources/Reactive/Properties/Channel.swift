import TraceFormat
import Synchronization

/// A connection with two ends: what is sent into one comes out of the other.
///
/// ```
/// sent to leading          -1---2----|
/// following.signal         -1---2----|      late: (2|)
/// sent to following        ---a----
/// leading.signal           ---a------|      late: |
/// ```
///
/// For two-way bindings: the model is on the *leading* side, the view on the *following* side. So
/// the following terminal sends the latest value to a new subscriber first; the leading terminal
/// does not. A failure or completion that is sent to either terminal ends both, for present and
/// future subscribers.
///
/// Nothing that is sent to a terminal comes out of it again. To connect properties with terminals
/// use ``MutableProperty/channel(file:line:column:)``; to bind two properties to each other,
/// ``MutableProperty/bindTwoWay(to:file:line:column:)``.
public final class Channel<Value: Sendable, Failure: Error>: Sendable {
  /// The model's end: its signal sends the values that are sent to the other terminal after the
  /// subscription.
  public let leading: ChannelTerminal<Value, Failure>
  /// The view's end: its signal sends the latest value that was sent to the other terminal, then
  /// each later value.
  public let following: ChannelTerminal<Value, Failure>

  /// Creates a channel.
  ///
  /// - Parameters:
  ///   - name: The name of the signals in logs and traces.
  public init(
    _ name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let site = Site("Channel", file, line, column, [.hot, .endless])
    let toLeading = Hub<Value, Failure>()
    let toFollowing = Hub<Value, Failure>(capacity: 1)
    let end = ChannelEnd(toLeading, toFollowing)
    let fromLeading = Signal<Value, Failure>(site, argument: .part("leading"), name: name) {
      toLeading.add($0)
    }
    toLeading.id = fromLeading.node.id
    let fromFollowing = Signal<Value, Failure>(site, argument: .part("following"), name: name) {
      toFollowing.addReplaying($0)
    }
    toFollowing.id = fromFollowing.node.id
    leading = ChannelTerminal(
      fromLeading,
      observers: end.observers,
      send: { toFollowing.send($0) },
      end: { end.end($0) },
      gone: { toFollowing.sourceGone() }
    )
    following = ChannelTerminal(
      fromFollowing,
      observers: end.observers,
      send: { toLeading.send($0) },
      end: { end.end($0) },
      gone: { toLeading.sourceGone() }
    )
  }
}

/// One end of a ``Channel``, or a property as one end
/// (``MutableProperty/channel(file:line:column:)``).
///
/// `subscribe(_:)` forwards a signal to a terminal, and ends the channel when the signal ends. Any
/// code that holds a terminal can send; when nothing holds a terminal of a channel any more, the
/// subscriptions of the other terminal end without an event (event contract, rule 11). Signals that
/// are forwarded to the other terminal continue until the channel ends.
public final class ChannelTerminal<Value: Sendable, Failure: Error>: EventHub {
  /// The events from the other side.
  ///
  /// The signal does not keep the terminal alive.
  public let signal: Signal<Value, Failure>
  /// Ends when the channel ends, whereas ``signal`` also ends when the other terminal is released.
  let observers: Hub<Value, Failure>?
  private let sendValue: @Sendable (Value) -> Void
  private let sendEnd: @Sendable (End<Failure>) -> Void
  private let gone: @Sendable () -> Void

  init(
    _ signal: Signal<Value, Failure>,
    observers: Hub<Value, Failure>? = nil,
    send: @escaping @Sendable (Value) -> Void,
    end: @escaping @Sendable (End<Failure>) -> Void,
    gone: @escaping @Sendable () -> Void
  ) {
    self.signal = signal
    self.observers = observers
    sendValue = send
    sendEnd = end
    self.gone = gone
  }

  deinit { gone() }

  /// Sends a value to the other side.
  public func send(_ value: Value) { sendValue(value) }

  /// Ends both sides with a failure.
  public func fail(_ error: Failure) { sendEnd(.failed(error)) }

  /// Completes both sides.
  public func complete() { sendEnd(.completed) }
}

/// Ends both sides of a channel, with the first end that is sent to either of them.
private final class ChannelEnd<Value: Sendable, Failure: Error>: Sendable {
  /// Shows the end of the channel to signals that are forwarded to a terminal; ends with an event,
  /// or never.
  let observers = Hub<Value, Failure>()
  private let hubs: [Hub<Value, Failure>]
  private let isOver = Atomic<Bool>(false)

  init(_ hubs: Hub<Value, Failure>...) { self.hubs = hubs + [observers] }

  func end(_ end: End<Failure>) {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    for hub in hubs { hub.end(end) }
  }
}
