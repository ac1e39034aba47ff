import Glibc

/// The arguments of a program: words, and options with a whole number, such as `--lines 1000`.
public struct Arguments: Sendable {
  /// The arguments that are not options.
  public private(set) var words: [String] = []
  private var numbers: [String: Int] = [:]

  /// Reads the arguments of this process, and ends it with status 2 if one is invalid.
  ///
  /// - Parameters:
  ///   - usage: The message that is printed in that case.
  ///   - options: The names of the valid options, without the dashes.
  public init(usage: String, options: [String]) {
    var rest = CommandLine.arguments.dropFirst()
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        words.append(argument)
        continue
      }
      let name = String(argument.dropFirst(2))
      guard options.contains(name), let number = rest.popFirst().flatMap({ Int($0) }), number >= 0
      else { Self.fail("'\(argument)' is no option, or has no number behind it\n\(usage)") }
      numbers[name] = number
    }
  }

  /// The number after an option, or `usual` if the option is not given.
  public func number(_ name: String, or usual: Int) -> Int { numbers[name] ?? usual }

  /// Prints a message on standard error, and ends the process with status 2.
  public static func fail(_ message: String) -> Never {
    var text = "\(message)\n"
    _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(2)
  }
}
