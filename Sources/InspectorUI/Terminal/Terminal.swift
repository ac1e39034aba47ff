/// Where frames go and messages come from.
///
/// The live terminal, a script in a test and plain output are the same to the program.
public protocol Terminal {
  /// The size frames should have now.
  var size: Size { get }
  /// Waits for a key or another size until the deadline.
  ///
  /// - Returns: ``TerminalMessage/ended`` when no further input can come; nil when the time is over.
  mutating func nextMessage(before deadline: ContinuousClock.Instant) throws(TerminalError)
    -> TerminalMessage?
  /// Shows a frame.
  mutating func present(_ frame: Frame) throws(TerminalError)
  /// Gives the terminal to something else while it runs.
  mutating func lend(to body: () throws -> Void) throws
}

extension Terminal {
  /// Just runs it: where nothing is taken over, nothing has to be given back.
  public mutating func lend(to body: () throws -> Void) throws { try body() }
}

/// What a terminal has to say.
public enum TerminalMessage: Hashable, Sendable {
  case key(Key)
  case resized(Size)
  /// The mouse was used.
  case mouse(MouseAction)
  /// Input is over: the terminal was closed, or the program was asked to end.
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
