public import Reactive

/// Events over time, drawn with one character for each frame.
///
/// ```
/// -1-2-(3|)    values 1, 2 and 3 in frames 1, 3 and 5, and completion in frame 5
/// ```
///
/// A `-` is a frame in which nothing happens, a letter or digit a value, `|` completion, `#`
/// failure. Events in parentheses happen in one frame, in the given order; the group takes one
/// frame. Spaces are ignored, so that diagrams can be aligned.
public struct Marbles: Sendable {
  /// An event and its frame.
  public struct Item: Sendable, Equatable {
    /// The frame, from 0.
    public let frame: Int
    /// The event; a value is a string of the one character that is drawn for it.
    public let event: Event<String, MarbleFailure>

    /// Creates an event in a frame.
    public init(frame: Int, event: Event<String, MarbleFailure>) {
      self.frame = frame
      self.event = event
    }
  }

  /// The events in their order.
  public let items: [Item]
  /// How many frames are drawn.
  public let frameCount: Int

  /// A diagram of these events.
  ///
  /// - Parameters:
  ///   - items: The events, usually in the order of their frames; after a rewind, they are not.
  ///   - frameCount: How many frames to draw at least.
  public init(_ items: [Item], frameCount: Int = 0) {
    self.items = items
    self.frameCount = max(frameCount, (items.map(\.frame).max() ?? -1) + 1)
  }
}

/// The failure that `#` stands for in a diagram.
public struct MarbleFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// Creates the failure; all are equal.
  public init() {}

  /// `#`.
  public var description: String { "#" }
}

/// Equal when the same events happen in the same frames; frames drawn after them do not count.
extension Marbles: Equatable {
  /// Compares the events.
  public static func == (left: Self, right: Self) -> Bool { left.items == right.items }
}
