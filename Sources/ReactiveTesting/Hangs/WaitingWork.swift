import CReactiveTraceShims
import Glibc
import Testing
import TraceModel
import TracePlatform
import TraceReading

/// What waits in this process for what: the stack of a task, and those of all other threads and tasks in which code of the program is.
struct WaitingWork {
  /// The lines of the program at which the task waits, innermost first: `fetch() at Tests/FeedTests.swift:12`; empty where none is known.
  let places: [String]
  /// The stacks, a heading for each.
  let text: String

  /// One that waits, as it was found.
  private struct Found {
    var heading: String
    var stack: [UInt64]
  }

  private static var mostFrames: Int { 64 }
  private static var mostTasks: Int { 1024 }
  private static var mostShown: Int { 24 }

  /// Looks at everything else in this process.
  ///
  /// - Parameters:
  ///   - task: What is asked for.
  ///   - symbolizer: Names functions; nil where nobody can.
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

  /// The innermost line that is in the file of the test, for tools that show issues in the sources; the test's own where there is none.
  func location(near test: SourceLocation) -> SourceLocation {
    for place in places {
      guard let colon = place.lastIndex(of: ":"), place[..<colon].hasSuffix(" at \(test.filePath)"),
        let line = Int(place[place.index(after: colon)...])
      else { continue }
      return SourceLocation(
        fileID: test.fileID,
        filePath: test.filePath,
        line: line,
        column: 1
      )
    }
    return test
  }

  // MARK: Text

  /// What has no function of the program waits for it, as threads of the pool do.
  private static func text(of all: [Found], _ names: StackNames, _ canInterrupt: Bool) -> String {
    var parts: [(heading: String, lines: [String], count: Int)] = []
    var idle = 0
    for (index, found) in all.enumerated() {
      var lines = names.ownLines(of: found.stack)
      if index == 0, lines.isEmpty { lines = ["no function of the program is known of it"] }
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
      text += "\(parts.count - mostShown) other stacks are not shown.\n"
    }
    if idle > 0 { text += "\(idle) other threads and tasks run no code of the program.\n" }
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

  /// Where a task goes on; empty where it runs.
  static func stack(of task: Task<Void, any Error>) -> [UInt64] { stack(ofTask: address(of: task)) }

  /// A task is nothing but a reference.
  private static func address(of task: Task<Void, any Error>) -> UInt {
    unsafeBitCast(task, to: UInt.self)
  }

  private static func stack(ofTask task: UInt) -> [UInt64] {
    var addresses = [UInt64](repeating: 0, count: mostFrames)
    let count = rxt_walk_suspended(task, &addresses, UInt32(mostFrames))
    return Array(addresses.prefix(Int(count)))
  }

  /// Those that were made since recording began.
  private static func tasks() -> [UInt] {
    var tasks = [UInt](repeating: 0, count: mostTasks)
    let count = rxt_known_tasks(&tasks, UInt32(mostTasks))
    return tasks.prefix(Int(count)).sorted()
  }
}
