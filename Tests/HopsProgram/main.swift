import Dispatch
import Foundation
import ReactiveTrace

// Runs work over chains of hops, which are ways to run work elsewhere or later, and compares the
// backtrace at the end of each chain with the hops that were made.
//
//   hops-program kinds            each kind alone, and after three others
//   hops-program kinds taken      the same, after another library has taken the runtime's hook
//   hops-program kinds before     the same, but the hook is taken before the recording begins
//   hops-program random N SEED    N chains of 1 to 12 hops
//   hops-program tasks N          N tasks, ten thousand of which are alive at once
//   hops-program crash HOW        a crash after hops; HOW is a case of `Crashing`
//   hops-program crash asked HOW  the same, after asking for crash reports
//   hops-program alive N          N tasks, all of which are alive at once
//
// Prints the chains that differ, and ends with status 1 if there are any.

/// The functions that the backtrace at the end of a chain must name, newest first.
struct Expected {
  private var stack: [String] = []
  private var behind: [String] = []

  init(_ kinds: [Kind]) {
    for kind in kinds {
      let function = kind.function
      if kind.staysWhereItIs {
        stack.append(function)
      } else {
        if kind.isAsync { stack.append(function) }
        behind = [function] + stack.reversed() + behind
        // The name of the closure that runs next contains the name of the function, so both count
        // as one.
        stack = []
      }
    }
  }

  var functions: [String] { (stack.reversed() + behind).withoutRepeats }
}

extension [String] {
  /// The names without repetitions: of equal names in a row, one is left.
  var withoutRepeats: [String] {
    reduce(into: []) { kept, name in if kept.last != name { kept.append(name) } }
  }
}

/// The functions of `Kinds.swift` that a backtrace names, newest first.
///
/// The compiler merges closures that differ little, and names the result after one of them, so such
/// names are ignored.
func functions(of frames: [AsyncBacktrace.Frame], prefix: String) -> [String] {
  frames.compactMap { frame in
    guard let function = frame.function, !function.hasPrefix("one of: "),
      let start = function.range(of: #"\b\#(prefix)[A-Z][A-Za-z]*"#, options: .regularExpression)
    else { return nil }
    return String(function[start])
  }
  .withoutRepeats
}

final class BacktraceChecker: @unchecked Sendable {
  private let lock = NSLock()
  private let finished = DispatchSemaphore(value: 0)
  private var failures = 0
  private var sent = (seen: 0, expected: 0)

  /// Runs work over these hops, and waits for its end.
  func run(_ kinds: [Kind]) {
    let plan = Plan(kinds: kinds) { plan in
      self.check(plan, AsyncBacktrace.current)
      self.finished.signal()
    }
    go(plan)
    if finished.wait(timeout: .now() + 20) == .timedOut {
      print("\(kinds.map(\.rawValue)): never came to its end")
      exit(2)
    }
  }

  private func check(_ plan: Plan, _ backtrace: AsyncBacktrace) {
    let expected = Expected(plan.kinds).functions
    // Equal consecutive parts are kept as one part that is marked as repeated. Parts older than a
    // repeated part are not compared.
    let parts = backtrace.parts
    let repeated = parts.firstIndex(where: \.isRepeated)
    let found = functions(
      of: parts[...(repeated ?? parts.count - 1)].flatMap(\.frames),
      prefix: "hopBy"
    )
    let isWhole = repeated == nil && !backtrace.isCut
    let isSame = isWhole ? found == expected : expected.starts(with: found)
    lock.withLock {
      if plan.kinds.contains(.continuation) || plan.kinds.contains(.forAwait) {
        sent.expected += 1
        if !functions(of: backtrace.frames, prefix: "send").isEmpty { sent.seen += 1 }
      }
      if isSame { return }
      failures += 1
      print("\(plan.kinds.map(\.rawValue).joined(separator: " → "))")
      print("  expected \(expected.joined(separator: " ← "))")
      print("  found    \(found.joined(separator: " ← "))")
      if failures <= 3 { print(backtrace.debugDescription) }
    }
  }

  func end(_ count: Int) -> Never {
    print("\(count) chains, \(failures) differ; senders seen in \(sent.seen) of \(sent.expected)")
    exit(failures == 0 ? 0 : 1)
  }
}

/// Random numbers that depend only on the seed.
struct Numbers: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

func randomKinds(_ numbers: inout Numbers) -> [Kind] {
  var kinds: [Kind] = []
  var isAsync = false
  for _ in 0..<Int.random(in: 1...12, using: &numbers) {
    let possible = Kind.allCases.filter { isAsync || !$0.isAsync }
    let kind = possible.randomElement(using: &numbers) ?? .task
    kinds.append(kind)
    isAsync = kind.leadsToAsync
  }
  return kinds
}

func drive() -> Never {
  let arguments = CommandLine.arguments.dropFirst()
  let numbers = arguments.dropFirst().compactMap { Int($0) }
  let checker = BacktraceChecker()
  if arguments.first == "crash", let how = arguments.last.flatMap(Crashing.init(rawValue:)) {
    if arguments.dropFirst().first == "asked" { Trace.reportCrashes() }
    how.run()
  }
  if arguments.last == "taken" { ForeignExecutor.install() }
  if arguments.last == "before" {
    ForeignExecutor.install()
    do { try Trace.start() } catch { fatalError("\(error)") }
  }
  switch (arguments.first, numbers.count) {
  case ("kinds"?, 0):
    for kind in Kind.allCases {
      checker.run(kind.isAsync ? [.task, kind] : [kind])
      checker.run([.timer, .async, .task, kind])
    }
    checker.end(2 * Kind.allCases.count)
  case ("random"?, 2):
    var random = Numbers(state: UInt64(numbers[1]))
    for _ in 0..<numbers[0] { checker.run(randomKinds(&random)) }
    checker.end(numbers[0])
  case ("tasks"?, 1): makeTasks(numbers[0])
  case ("alive"?, 1): keepTasks(numbers[0])
  default:
    FileHandle.standardError.write(
      Data(
        "usage: hops-program kinds | random COUNT SEED | tasks COUNT | alive COUNT | crash HOW\n"
          .utf8
      )
    )
    exit(64)
  }
}

/// The resident memory of the process, in bytes.
func residentBytes() -> Int {
  let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
    .split(separator: " ").dropFirst().first.flatMap { Int($0) }
  return (pages ?? 0) * Int(getpagesize())
}

func makeTasks(_ count: Int) -> Never {
  Task {
    var first = 0
    for round in 0..<max(1, count / 10_000) {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<10_000 { group.addTask { await Task.yield() } }
      }
      if round == 1 { first = residentBytes() }
    }
    print("\(count) tasks; grew by \((residentBytes() - first) >> 10) KiB since the first 20000")
    exit(0)
  }
  while true { sleep(1000) }
}

func keepTasks(_ count: Int) -> Never {
  let tasks = (0..<count).map { _ in Task { try? await Task.sleep(for: .seconds(3600)) } }
  print("\(tasks.count) tasks are alive")
  exit(0)
}

Thread.detachNewThread { drive() }
RunLoop.main.run()
