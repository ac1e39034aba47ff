public import ArgumentParser
import CNcurses
import Glibc
public import InspectorUI
import TraceModel
import TraceReading

/// The options of subcommands that print for people.
struct DisplayOptions: ParsableArguments {
  @Flag(help: "Draw with ASCII characters only.")
  var ascii = false

  @Option(help: ArgumentHelp("Use colour: auto (the default), always or never.", valueName: "when"))
  var color: ColorChoice?

  /// The characters that the output can show.
  var glyphs: Glyphs {
    setlocale(LC_ALL, "")
    return ascii || !rxn_locale_is_utf8() ? .ascii : .utf8
  }

  /// The palette for standard output; nil for plain text.
  var palette: Palette? { palette(preferring: nil) }

  /// The palette for standard output, where `setting` applies unless `--color` is given.
  func palette(preferring setting: ColorChoice?) -> Palette? {
    (color ?? setting ?? .auto).palette(
      isTerminal: Output.isTerminal(STDOUT_FILENO),
      noColor: Output.variable("NO_COLOR"),
      term: Output.variable("TERM")
    )
  }
}

/// The option of subcommands that print lists.
struct LengthOptions: ParsableArguments {
  @Option(
    name: [.customShort("n"), .customLong("limit")],
    help: ArgumentHelp("Maximum rows.", valueName: "rows")
  )
  var limit: Int?

  func validate() throws {
    if let limit, limit < 1 {
      throw ValidationError("'-n \(limit)' prints nothing; use 1 or more rows")
    }
  }
}

extension ColorChoice: ExpressibleByArgument {}
extension Screen: ExpressibleByArgument {
  /// The screens that `--screen` offers: those in the view bar.
  ///
  /// Detail and Help are not among them, because they are useful only in an interactive session.
  public static var allValueStrings: [String] { inBar.map(\.rawValue) }
}

/// The names of levels of findings on the command line.
enum LevelName: String, CaseIterable, ExpressibleByArgument {
  case violation, leak, suspect, info

  var level: FindingLevel {
    switch self {
    case .violation: .violation
    case .leak: .leak
    case .suspect: .suspect
    case .info: .info
    }
  }
}

/// Resolves an argument to the path of a trace.
enum Target {
  static func path(_ argument: String) throws -> String {
    do {
      return try TraceTarget.path(
        for: argument,
        among: TraceDirectory.list(),
        fileExists: { access($0, F_OK) == 0 }
      )
    } catch {
      let names = Rxtop.configuration.subcommands.compactMap { $0.configuration.commandName }
      let hint = Suggestion.nearest(to: argument, in: names).map { "\nDid you mean: rxtop \($0)" }
      throw Failure(.unreadable, error.description + (hint ?? ""))
    }
  }
}
