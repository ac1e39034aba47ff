/// A target of frames and source of messages.
///
/// The live terminal, a script in a test and plain output are interchangeable for the program.
public protocol Terminal {
  /// The size that frames should have now.
  var size: Size { get }
  /// Waits for a key or another size until the deadline.
  ///
  /// - Returns: ``TerminalMessage/ended`` when no further input can come; nil at the deadline.
  mutating func nextMessage(before deadline: ContinuousClock.Instant) throws(TerminalError)
    -> TerminalMessage?
  /// Shows a frame.
  mutating func present(_ frame: Frame) throws(TerminalError)
  /// Gives the terminal to something else while it runs.
  mutating func suspend(during body: () throws -> Void) throws
}

extension Terminal {
  /// Runs the closure, for terminals that have nothing to suspend.
  public mutating func suspend(during body: () throws -> Void) throws { try body() }
}

/// A message from a terminal.
public enum TerminalMessage: Hashable, Sendable {
  case key(Key)
  case resized(Size)
  /// The mouse was used.
  case mouse(MouseAction)
  /// Input has ended: the terminal was closed, or the program was asked to end.
  case ended
}

/// Why a terminal cannot be used.
public struct TerminalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of problem it is.
  public enum Code: Hashable, Sendable {
    /// Standard output is not a terminal, or one that cannot move its cursor.
    case unusable
    /// Reading or writing failed.
    case lost
  }

  /// What kind of problem it is.
  public var code: Code
  /// One sentence for the user.
  public var description: String

  /// A problem and a sentence about it.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
