import Glibc

/// The arguments of a program: words, and options with a whole number, as `--lines 1000`.
public struct Arguments: Sendable {
  /// What is no option.
  public private(set) var words: [String] = []
  private var numbers: [String: Int] = [:]

  /// Reads the arguments of this process; ends it with status 2 where one is not understood.
  ///
  /// - Parameters:
  ///   - usage: What is said then.
  ///   - options: The options that there are, without the dashes.
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

  /// The number behind an option, or the usual one.
  public func number(_ name: String, or usual: Int) -> Int { numbers[name] ?? usual }

  /// Ends the process with status 2, and says why on standard error.
  public static func fail(_ message: String) -> Never {
    var text = "\(message)\n"
    _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(2)
  }
}
