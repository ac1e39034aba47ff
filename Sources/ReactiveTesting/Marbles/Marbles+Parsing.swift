import Reactive

/// What is wrong with a marble diagram.
public struct MarbleSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The diagram.
  public let text: String
  /// The position of the offending character, from 1.
  public let position: Int
  /// What is wrong, or what was expected.
  public let reason: String

  /// One sentence: the diagram, the position and the reason.
  public var description: String { "marbles '\(text)', character \(position): \(reason)" }
}

extension Marbles: ExpressibleByStringLiteral {
  /// Parses a diagram; traps with the position of the error if it is malformed.
  public init(stringLiteral text: String) {
    do { try self.init(parsing: text) } catch { preconditionFailure("\(error)") }
  }

  /// Parses a diagram; throws if it is malformed.
  public init(parsing text: String) throws(MarbleSyntaxError) {
    var items: [Item] = []
    var frame = 0
    var isGroup = false
    var hasEnded = false
    for (index, character) in text.enumerated() {
      func wrong(_ reason: String) -> MarbleSyntaxError {
        MarbleSyntaxError(text: text, position: index + 1, reason: reason)
      }
      switch character {
      case " ": continue
      case "-":
        if isGroup { throw wrong("a frame cannot pass inside parentheses; close them first") }
      case "(":
        if isGroup { throw wrong("parentheses cannot be nested") }
        isGroup = true
        continue
      case ")":
        if !isGroup { throw wrong("there is no '(' before it") }
        isGroup = false
      default:
        guard let event = Self.event(for: character) else {
          throw wrong("expected one of - | # ( ), a letter or a digit, found '\(character)'")
        }
        if hasEnded { throw wrong("nothing can follow '|' or '#'") }
        hasEnded = event.isTerminal
        items.append(Item(frame: frame, event: event))
      }
      if !isGroup { frame += 1 }
    }
    if isGroup {
      throw MarbleSyntaxError(text: text, position: text.count, reason: "')' is missing")
    }
    self.init(items, frameCount: frame)
  }

  private static func event(for character: Character) -> Event<String, MarbleFailure>? {
    switch character {
    case "|": .completed
    case "#": .failed(MarbleFailure())
    case _ where character.isLetter || character.isNumber: .next(String(character))
    default: nil
    }
  }
}
