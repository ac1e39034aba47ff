/// Shows frames, and returns the input of the user.
///
/// rxtop uses an implementation based on ncurses, and tests use ``HeadlessTerminal``.
public protocol Terminal {
  /// The current size of the terminal, which is the size that presented frames must have.
  var size: Size { get }
  /// Waits for a message, at most until the deadline.
  ///
  /// - Returns: The message; ``TerminalMessage/ended`` if no further input can arrive; nil if there
  ///   is none by the deadline.
  mutating func nextMessage(before deadline: ContinuousClock.Instant) throws(TerminalError)
    -> TerminalMessage?
  /// Shows a frame.
  mutating func present(_ frame: Frame) throws(TerminalError)
  /// Runs a closure during which another program may use the terminal.
  mutating func suspend(during body: () throws -> Void) throws
  /// Draws the next frame completely, because something else may have written on the screen.
  mutating func redraw()
}

extension Terminal {
  /// Runs the closure without any preparation.
  public mutating func suspend(during body: () throws -> Void) throws { try body() }

  /// Does nothing: each frame is drawn completely.
  public mutating func redraw() {}
}

/// A message from a terminal.
public enum TerminalMessage: Hashable, Sendable {
  case key(Key)
  case resized(Size)
  case mouse(MouseAction)
  /// The input has ended: the terminal was closed, or the program was asked to end.
  case ended
}

/// The reason why a terminal cannot be used.
public struct TerminalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a problem.
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

  /// Creates an error with a sentence for the user.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
