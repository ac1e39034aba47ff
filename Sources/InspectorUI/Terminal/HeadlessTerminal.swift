/// A terminal driven by a script, for tests.
///
/// It returns one message of the script at a time and, after the last one,
/// ``TerminalMessage/ended``. It never waits.
public struct HeadlessTerminal: Terminal {
  /// The size of the terminal; only the script changes it.
  public private(set) var size: Size
  /// All frames that were presented, the oldest first.
  public private(set) var frames: [Frame] = []
  private var script: [TerminalMessage]
  private var position = 0

  /// A terminal with a size and a script of messages.
  public init(size: Size, script: [TerminalMessage]) {
    self.size = size
    self.script = script
  }

  /// A terminal with a size and a script of keys, in the form of ``Key/script(_:)``.
  public init(size: Size, keys: String) {
    self.init(size: size, script: Key.script(keys).map(TerminalMessage.key))
  }

  /// The frame that was presented last.
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
