/// A terminal driven by a script, for tests.
///
/// It answers with one scripted message at a time and, when they are used up, with
/// ``TerminalMessage/ended``. It never waits.
public struct HeadlessTerminal: Terminal {
  /// Changed only by the script.
  public private(set) var size: Size
  /// Every frame presented, oldest first.
  public private(set) var frames: [Frame] = []
  private var script: [TerminalMessage]
  private var position = 0

  /// A terminal with a size and the messages that it returns.
  public init(size: Size, script: [TerminalMessage]) {
    self.size = size
    self.script = script
  }

  /// A terminal with a size and the keys of a script, see ``Key/script(_:)``.
  public init(size: Size, keys: String) {
    self.init(size: size, script: Key.script(keys).map(TerminalMessage.key))
  }

  /// The last frame presented.
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
