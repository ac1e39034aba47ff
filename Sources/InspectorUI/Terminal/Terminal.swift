/// Shows frames, and returns the keys that the user presses.
///
/// The program uses a live terminal, a script of a test and plain output in the same way.
public protocol Terminal {
  /// The size that a frame must have now.
  var size: Size { get }
  /// Waits until the deadline for a key, an action of the mouse, or a new size.
  ///
  /// - Returns: The message; ``TerminalMessage/ended`` when no further input can come; nil at the
  ///   deadline.
  mutating func nextMessage(before deadline: ContinuousClock.Instant) throws(TerminalError)
    -> TerminalMessage?
  /// Shows a frame.
  mutating func present(_ frame: Frame) throws(TerminalError)
  /// Gives the terminal to another program while a closure runs.
  mutating func suspend(during body: () throws -> Void) throws
}

extension Terminal {
  /// Runs the closure at once, for terminals that need no preparation.
  public mutating func suspend(during body: () throws -> Void) throws { try body() }
}

/// A message from a terminal.
public enum TerminalMessage: Hashable, Sendable {
  case key(Key)
  case resized(Size)
  /// The mouse was used.
  case mouse(MouseAction)
  /// The input has ended: the terminal was closed, or the program was asked to end.
  case ended
}

/// Why a terminal cannot be used.
public struct TerminalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of problems.
  public enum Code: Hashable, Sendable {
    /// Standard output is not a terminal, or the terminal cannot move its cursor.
    case unusable
    /// Reading or writing failed.
    case lost
  }

  /// The kind of problem.
  public var code: Code
  /// One sentence for the user.
  public var description: String

  /// An error of a kind, with a sentence about it.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
