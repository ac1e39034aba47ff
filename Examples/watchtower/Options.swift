/// The options of the command line.
struct Options: Sendable {
  var directory = ""
  /// The interval of the shared pulse and of the timers of the panes.
  var interval = Duration.milliseconds(500)
  /// How long the program runs; nil if it runs until it is interrupted.
  var lifetime: Duration?
  /// Whether the two deliberate faults are enabled (see `Pane`).
  var leaks = false

  static let usage = "usage: watchtower [--leak] [--seconds N] [--interval MS] DIRECTORY"

  static let help = """
    \(usage)

    Watches a directory tree, tails the log files in it, fingerprints what changes, and prints alerts.

      --seconds N     end after N seconds (default: run until interrupted)
      --interval MS   time between two looks at load and panes, 10 to 60000 (default: 500)
      --leak          put in two faults on purpose: closed panes stay subscribed, a timer runs on
      --help          print this

    Run it with RXTRACE=1 in the environment and open it with rxtop to see its signals.
    """

  enum Request: Sendable {
    case run(Options)
    case help
  }

  /// What is wrong with a command line, as one sentence.
  struct Mistake: Error {
    let message: String
  }

  /// Parses the arguments, without the program's name.
  static func parse(_ arguments: [String]) throws(Mistake) -> Request {
    var options = Options()
    var directories: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": return .help
      case "--leak": options.leaks = true
      case "--seconds":
        options.lifetime = .seconds(try number(for: argument, from: &rest, in: 1...86_400))
      case "--interval":
        options.interval = .milliseconds(try number(for: argument, from: &rest, in: 10...60_000))
      case "--": directories += rest; rest = []
      case _ where argument.hasPrefix("-"):
        throw Mistake(
          message:
            "unknown option '\(argument)'; known are --leak, --seconds, --interval and --help"
        )
      default: directories.append(argument)
      }
    }
    guard let directory = directories.first, !directory.isEmpty else {
      throw Mistake(message: "no directory given; name the one to watch")
    }
    guard directories.count == 1 else {
      throw Mistake(message: "one directory expected, found a second: '\(directories[1])'")
    }
    options.directory = directory
    return .run(options)
  }

  private static func number(
    for option: String,
    from rest: inout ArraySlice<String>,
    in range: ClosedRange<Int>
  ) throws(Mistake) -> Int {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let text = rest.popFirst() else {
      throw Mistake(message: "\(option) expects \(expected), found the end of the line")
    }
    guard let number = Int(text), range.contains(number) else {
      throw Mistake(message: "\(option) expects \(expected), found '\(text)'")
    }
    return number
  }
}
