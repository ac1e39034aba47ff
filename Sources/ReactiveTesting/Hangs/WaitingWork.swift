import CReactiveTraceShims
import Glibc
import Testing
import TraceModel
import TracePlatform
import TraceReading

/// The code that waits in this process: the stack of a task, and the stacks of all other threads
/// and tasks that run code of the program.
struct WaitingWork {
  /// The lines of the program at which the task waits, innermost first:
  /// `fetch() at Tests/FeedTests.swift:12`; empty if none is known.
  let places: [String]
  /// The stacks, each with a heading.
  let text: String

  /// The stack of one thread or suspended task.
  private struct Found {
    var heading: String
    var stack: [UInt64]
  }

  private static var mostFrames: Int { 64 }
  private static var mostTasks: Int { 1024 }
  private static var mostShown: Int { 24 }

  /// Takes the stacks of all threads of this process except the current one, and of all known
  /// suspended tasks.
  ///
  /// - Parameters:
  ///   - task: The task of the test.
  ///   - symbolizer: Names functions; nil if none is available.
  init(of task: Task<Void, any Error>, _ symbolizer: Symbolizer?) {
    let address = Self.address(of: task)
    var own: Found?
    var others: [Found] = []
    var running: Set<UInt> = []
    let canInterrupt = rxt_stacks_prepare()
    for thread in canInterrupt ? Self.threads() : [] {
      guard let (stack, task) = Self.stack(of: thread), !stack.isEmpty else { continue }
      if task != 0 { running.insert(task) }
      let found = Found(heading: Self.heading(of: thread), stack: stack)
      if task == address {
        own = Found(heading: "The test, in \(found.heading):", stack: stack)
      } else {
        others.append(Found(heading: "In \(found.heading):", stack: stack))
      }
    }
    own = own ?? Found(heading: "The test, suspended:", stack: Self.stack(ofTask: address))
    for other in Self.tasks() where other != address && !running.contains(other) {
      others.append(Found(heading: "A task, suspended:", stack: Self.stack(ofTask: other)))
    }
    let all = [own].compactMap { $0 } + others
    let names = StackNames(all.map(\.stack), symbolizer)
    places = own.map { names.ownLines(of: $0.stack) } ?? []
    text = Self.text(of: all, names, canInterrupt)
  }

  /// The innermost line that is in the file of the test, for tools that show issues in the sources;
  /// the test's own location if there is none.
  func location(near test: SourceLocation) -> SourceLocation {
    for place in places {
      guard let colon = place.lastIndex(of: ":"), place[..<colon].hasSuffix(" at \(test.filePath)"),
        let line = Int(place[place.index(after: colon)...])
      else { continue }
      return SourceLocation(fileID: test.fileID, filePath: test.filePath, line: line, column: 1)
    }
    return test
  }

  // MARK: Text

  /// The text for all stacks: equal stacks are shown once, and stacks without a function of the
  /// program, such as those of idle threads of the pool, are only counted.
  private static func text(of all: [Found], _ names: StackNames, _ canInterrupt: Bool) -> String {
    var parts: [(heading: String, lines: [String], count: Int)] = []
    var idle = 0
    for (index, found) in all.enumerated() {
      var lines = names.ownLines(of: found.stack)
      if index == 0, lines.isEmpty { lines = ["no function of the program is on this stack"] }
      if lines.isEmpty {
        idle += 1
      } else if let same = parts.firstIndex(where: { $0.lines == lines && index > 0 }), same > 0 {
        parts[same].count += 1
      } else {
        parts.append((found.heading, lines, 1))
      }
    }
    var text = parts.prefix(mostShown)
      .map { part in
        let more = part.count > 1 ? " And \(part.count - 1) more like it." : ""
        return "\(part.heading)\(more)\n" + part.lines.map { "  \($0)\n" }.joined()
      }
      .joined()
    if parts.count > mostShown {
      text += "Other stacks that are not shown: \(parts.count - mostShown).\n"
    }
    if idle > 0 { text += "Other threads and tasks, in no code of the program: \(idle).\n" }
    if !canInterrupt {
      text += "The stacks of threads are not known: the program handles SIGPROF itself.\n"
    }
    return text
  }

  // MARK: Threads

  /// All threads but this one.
  private static func threads() -> [Int32] {
    guard let folder = opendir("/proc/self/task") else { return [] }
    defer { closedir(folder) }
    var threads: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let thread = Int32(name), thread != rxt_thread_id() { threads.append(thread) }
    }
    return threads.sorted()
  }

  private static func heading(of thread: Int32) -> String {
    let name = SystemProcess.contents("/proc/self/task/\(thread)/comm")?.dropLast() ?? ""
    let kind = thread == getpid() ? "the main thread" : "thread \(thread)"
    return name.isEmpty ? kind : "\(kind) (\(displayName(String(name))))"
  }

  private static func stack(of thread: Int32) -> (stack: [UInt64], task: UInt)? {
    var addresses = [UInt64](repeating: 0, count: mostFrames)
    var task: UInt = 0
    let count = rxt_stack_of_thread(thread, 50, &task, &addresses, UInt32(mostFrames))
    return count == 0 ? nil : (Array(addresses.prefix(Int(count))), task)
  }

  // MARK: Tasks

  /// Where a suspended task will continue; empty if the task is running.
  static func stack(of task: Task<Void, any Error>) -> [UInt64] { stack(ofTask: address(of: task)) }

  /// The address of the task object: a `Task` is a struct with only that reference in it.
  private static func address(of task: Task<Void, any Error>) -> UInt {
    unsafeBitCast(task, to: UInt.self)
  }

  private static func stack(ofTask task: UInt) -> [UInt64] {
    var addresses = [UInt64](repeating: 0, count: mostFrames)
    let count = rxt_walk_suspended(task, &addresses, UInt32(mostFrames))
    return Array(addresses.prefix(Int(count)))
  }

  /// The tasks that were created since recording began, at most `mostTasks`.
  private static func tasks() -> [UInt] {
    var tasks = [UInt](repeating: 0, count: mostTasks)
    let count = rxt_known_tasks(&tasks, UInt32(mostTasks))
    return tasks.prefix(Int(count)).sorted()
  }
}
