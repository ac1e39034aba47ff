/// A terminal for tests, whose input is a script.
///
/// The terminal returns the messages of the script one by one, and then ``TerminalMessage/ended``.
/// It never waits.
public struct HeadlessTerminal: Terminal {
  /// The size of the terminal, which only the script changes.
  public private(set) var size: Size
  /// All frames that were presented, the oldest first.
  public private(set) var frames: [Frame] = []
  private var script: [TerminalMessage]
  private var position = 0

  /// Creates a terminal with a size and a script of messages.
  public init(size: Size, script: [TerminalMessage]) {
    self.size = size
    self.script = script
  }

  /// Creates a terminal with a size and a script of keys, written as for ``Key/script(_:)``.
  public init(size: Size, keys: String) {
    self.init(size: size, script: Key.script(keys).map(TerminalMessage.key))
  }

  /// The latest presented frame; a blank frame if none was presented.
  public var screen: Frame { frames.last ?? Frame(size: size) }

  /// The next message of the script; never nil.
  public mutating func nextMessage(
    before deadline: ContinuousClock.Instant
  ) throws(TerminalError) -> TerminalMessage? {
    guard position < script.count else { return .ended }
    defer { position += 1 }
    if case .resized(let size) = script[position] { self.size = size }
    return script[position]
  }

  /// Stores the frame.
  public mutating func present(_ frame: Frame) throws(TerminalError) { frames.append(frame) }
}
