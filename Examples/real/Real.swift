internal import Glibc
import Reactive
import ReactiveTrace

/// Programs rebuilt from bug reports of other projects, each with its fix as a twin: what rxtop is judged by.
///
///     real list [latest]               every program, or those that came last
///     RXTRACE=1 real NAME reported     runs one as it was reported
///     RXTRACE=1 real NAME fixed        runs one as it was mended
///
/// The line to blame ends with the comment `// blame`; where a line elsewhere answers as well, it ends with
/// `// blame, too`. What is in a trace, names and marks, says nothing about whether a program has a fault.
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
    // What is alive now is alive when the process ends.
    Trace.stop()
    withExtendedLifetime(kept) { exit(0) }
  }
}

/// One of them.
struct Report: Sendable {
  let name: String
  /// What its users complained of, in a word or two.
  let trouble: String
  /// Runs it; what it returns is kept until the end of the process.
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

/// With the bug, or without.
enum Version: String, Sendable { case reported, fixed }

/// Lets time go by.
@MainActor
func pause(_ milliseconds: Int) async { try? await Task.sleep(for: .milliseconds(milliseconds)) }
