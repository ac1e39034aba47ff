internal import Glibc
import Reactive
import ReactiveTrace

/// Tiny programs that each do one thing, half of them with a fault, to measure rxtop's findings.
///
///     corpus list              every program with the finding it is made for, or `none`
///     RXTRACE=1 corpus NAME    runs one, for a few seconds at most
///     corpus crowd SEED        runs a random one without a fault, as `Scripts/healthy-runs` does
///
/// Some crash on purpose; with `crashes=on`, the trace contains the signal that killed them.
///
/// Each uses public API only, and no name or mark in its trace says whether it has a fault.
/// `Scripts/corpus` runs them all and prints how often rxtop was right.
@main
enum Corpus {
  static let programs: [Program] =
    rooms + owners + handles + quotes + galleries + pairs + stores + watchers + clocks + workers
    + baskets + plans + belts + counters + loops + failures + feeds + trips + crowds + tills
    + mixed + meetings + streams + attempts + profiles + announcements + ways + visitors
    + executions + forms + pages + meters + desks + stations + doors
    + shows + rows + inboxes + circles + uploads + keys + answers + updates + lobbies + shelves

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
    // Programs that crash must not leave a core dump.
    var none = rlimit()
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    let kept = await program.run()
    // Recording stops while `kept` retains the objects, so the trace shows them as alive.
    Trace.stop()
    withExtendedLifetime(kept) { exit(0) }
  }
}

/// One program of the corpus.
struct Program: Sendable {
  let name: String
  /// The kind of finding that rxtop should report; nil if there is nothing to report.
  let finding: String?
  /// Runs the program; its result is retained until the end of the process.
  let run: @MainActor @Sendable () async -> Any

  init(_ name: String, _ finding: String?, _ run: @escaping @MainActor @Sendable () async -> Any) {
    self.name = name
    self.finding = finding
    self.run = run
  }
}

/// Runs `body` the given number of times on the main actor, with a pause after each.
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

/// Waits for a number of milliseconds.
@MainActor
func pause(_ milliseconds: Int) async { try? await Task.sleep(for: .milliseconds(milliseconds)) }

struct Refusal: Error {}
