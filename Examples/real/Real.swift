internal import Glibc
import Reactive
import ReactiveTrace

/// Programs rebuilt from bug reports of other projects, each with its fix, for measuring rxtop.
///
///     real list [latest]               every program, or only the latest ones
///     RXTRACE=1 real NAME reported     runs one as it was reported
///     RXTRACE=1 real NAME fixed        runs one as it was fixed
///
/// The line to blame ends with the comment `// blame`; a line that is also a right answer ends with
/// `// blame, too`. No name or mark in a trace says whether a program has a fault.
/// `Scripts/corpus --real` runs them all and prints how often rxtop was right.
@main
enum Real {
  @MainActor
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let name = arguments.first, name != "list" else {
      let isLatest = arguments.dropFirst().first == "latest"
      for report in isLatest ? latest : reports { print(report.name, report.trouble) }
      return
    }
    guard let report = (reports + latest).first(where: { $0.name == name }),
      let version = arguments.dropFirst().first.flatMap(Version.init)
    else {
      print("real: usage: real list [latest] | real NAME reported|fixed; real list has the names")
      exit(2)
    }
    let kept = await report.run(version)
    // Recording stops while `kept` retains the objects, so the trace shows them as alive.
    Trace.stop()
    withExtendedLifetime(kept) { exit(0) }
  }
}

/// One program, in both versions.
struct Report: Sendable {
  let name: String
  /// What users complained about, in a few words.
  let trouble: String
  /// Runs the program; its result is retained until the end of the process.
  let run: @MainActor @Sendable (Version) async -> Any

  init(
    _ name: String,
    _ trouble: String,
    _ run: @escaping @MainActor @Sendable (Version) async -> Any
  ) {
    self.name = name
    self.trouble = trouble
    self.run = run
  }
}

/// The version with the bug, or the fixed one.
enum Version: String, Sendable { case reported, fixed }

/// Waits for a number of milliseconds.
@MainActor
func pause(_ milliseconds: Int) async { try? await Task.sleep(for: .milliseconds(milliseconds)) }
