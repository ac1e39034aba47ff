import Dispatch
internal import Glibc
import Reactive

/// A key that was pressed.
enum Key: Sendable, Equatable {
  case character(Character)
  case tab, enter, erase, logOut, quit

  init?(_ character: Character) {
    switch character {
    case "\t": self = .tab
    case "\r", "\n", "\r\n": self = .enter
    case "\u{7F}", "\u{8}": self = .erase
    case "\u{F}": self = .logOut  // Ctrl-O
    case "\u{3}", "\u{4}": self = .quit  // Ctrl-C, Ctrl-D
    case _ where character.unicodeScalars.allSatisfy { $0.value >= 0x20 }:
      self = .character(character)
    default: return nil
    }
  }
}

enum Keyboard {
  /// Sends the keys read from standard input, on the main queue; completes at the end of the input.
  static func keys() -> Signal<Key, Never> {
    Signal<String, Never>.create { observer in
      // Dispatch sources are not marked Sendable, but may be used from any thread.
      nonisolated(unsafe) let source = DispatchSource.makeReadSource(
        fileDescriptor: STDIN_FILENO,
        queue: .main
      )
      source.setEventHandler {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count <= 0 { return observer.complete() }
        observer.send(String(decoding: bytes[..<count], as: UTF8.self))
      }
      observer.onDispose { source.cancel() }
      source.activate()
    }
    .flatMap { Signal.from($0) }
    .compactMap { Key($0) }
    .named("keys")
  }
}
