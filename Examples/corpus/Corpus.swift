internal import Glibc
import Reactive
import ReactiveTrace

/// Tiny programs that each do one thing, to measure rxtop's findings by: half of them have a fault.
///
///     corpus list              every program with the finding it is made for, or `none`
///     RXTRACE=1 corpus NAME    runs one, in two seconds at most
///     corpus crowd SEED        one without a fault, as `Scripts/healthy-runs` makes them
///
/// Some do not end as they should: their signals are in the trace with `crashes=on`.
///
/// Each uses public API only, as a program would; what is in its trace, names and marks, says nothing about
/// whether it has a fault. `Scripts/corpus` runs them all and prints how often rxtop was right.
@main
enum Corpus {
  static let programs: [Program] =
    rooms + owners + handles + quotes + galleries + pairs + stores + watchers + clocks + workers
    + baskets + plans + belts + counters + loops + failures + feeds + trips + crowds + tills
    + mixed + meetings + streams + attempts + profiles + announcements + ways + visitors
    + executions + forms + pages + meters + desks + stations + doors
    + shows + rows + inboxes + circles + uploads + keys + answers + updates

  @MainActor
  static func main() async {
    let name = CommandLine.arguments.dropFirst().first ?? "list"
    if name == "list" {
      for program in programs { print(program.name, program.finding ?? "none") }
      return
    }
    if name == "crowd", let seed = CommandLine.arguments.dropFirst(2).first.flatMap(UInt64.init) {
      RandomCrowd.run(seed: seed)
    }
    guard let program = programs.first(where: { $0.name == name }) else {
      print("corpus: there is no program '\(name)'; corpus list names them all")
      exit(2)
    }
    // Those that crash are to leave no core behind.
    var none = rlimit()
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    let kept = await program.run()
    // What is alive now is alive when the process ends.
    Trace.stop()
    withExtendedLifetime(kept) { exit(0) }
  }
}

/// One of them.
struct Program: Sendable {
  let name: String
  /// The kind of finding that it is made for; nil where there is nothing to find.
  let finding: String?
  /// Runs it; what it returns is kept until the end of the process.
  let run: @MainActor @Sendable () async -> Any

  init(_ name: String, _ finding: String?, _ run: @escaping @MainActor @Sendable () async -> Any) {
    self.name = name
    self.finding = finding
    self.run = run
  }
}

/// Runs `body` so many times on the main actor, with a pause after each.
@MainActor
func every(
  _ milliseconds: Int,
  times: Int,
  _ body: @MainActor (Int) async -> Void
) async {
  for time in 0..<times {
    await body(time)
    try? await Task.sleep(for: .milliseconds(milliseconds))
  }
}

/// Lets time go by.
@MainActor
func pause(_ milliseconds: Int) async { try? await Task.sleep(for: .milliseconds(milliseconds)) }

struct Refusal: Error {}
