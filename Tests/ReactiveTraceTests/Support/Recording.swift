import Glibc
import ReactiveTrace
import Testing
import TraceReading

/// Recordings of the test process itself.
///
/// A process has one trace, so every test that records does it in an exit test, which is a separate
/// process.
enum Recording {
  /// Starts recording into a separate file, which is removed at exit unless `path` is given.
  static func start(
    size: Int = 1 << 20,
    level: TraceLevel = .events,
    stacks: StackMode = .callers,
    hops: HopScope = .all,
    path: String? = nil
  ) throws {
    var options = options(size: size, level: level, stacks: stacks, path: path)
    options.hops = hops
    let chosen = options
    try reportingErrors { try Trace.start(chosen) }
    if path == nil { atexit { _ = unlink("/tmp/rxtrace-test-\(getpid()).rxtrace") } }
  }

  /// The options that `start` uses.
  static func options(
    size: Int = 1 << 20,
    level: TraceLevel = .events,
    stacks: StackMode = .callers,
    path: String? = nil
  ) -> TraceOptions {
    var options = TraceOptions()
    options.size = size
    options.level = level
    options.startupSize = level == .graph ? 0 : nil
    options.stacks = stacks
    options.path = path ?? "/tmp/rxtrace-test-\(getpid()).rxtrace"
    return options
  }

  /// The current contents of the file.
  static func snapshot() throws -> TraceSnapshot {
    try reportingErrors {
      guard let path = Trace.path else {
        throw TraceError(.system, "nothing is being recorded")
      }
      return try TraceReader(path: path).snapshot()
    }
  }

  /// Reports an error that `body` throws: if an error leaves an exit test, all that the test learns
  /// is that a signal ended the process.
  static func reportingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      Issue.record(error)
      throw error
    }
  }

  /// A site of this name.
  static func site(
    _ name: StaticString,
    traits: SiteTraits = [],
    line: UInt32 = 1,
    column: UInt32 = 1
  ) -> UInt32 {
    Tracer.site(name, traits: traits, file: "Tests/File.swift", line: line, column: column)
  }

  /// A new subscription to a new signal, both at a site of this name.
  static func subscription(_ name: StaticString = "map", line: UInt32 = 1) -> TraceID {
    let site = site(name, line: line)
    let signal = Tracer.signalCreated(site: site)
    return Tracer.subscribed(site: site, signal: signal, downstream: .none)
  }

  /// Runs `body` on `count` new threads at once and waits for all of them.
  static func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).map { index in
      let work = Unmanaged.passRetained(Work { body(index) })
      var thread = pthread_t()
      let failure = pthread_create(
        &thread,
        nil,
        { argument in
          if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
          return nil
        },
        work.toOpaque()
      )
      precondition(failure == 0)
      return thread
    }
    for thread in threads { pthread_join(thread, nil) }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

/// A directory that is removed with its contents when the test ends.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/rxtrace-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TemporaryFile.Failure(path: "/tmp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    chmod(path, 0o700)
    for name in Files.names(in: path) { unlink(path + "/" + name) }
    rmdir(path)
  }
}

extension TraceSnapshot {
  /// The records of one kind.
  func records(_ kind: RecordKind) -> [TraceRecord] { records.filter { $0.kind == kind } }

  /// The only record of a kind; nil if there are none or several.
  func record(_ kind: RecordKind) -> TraceRecord? {
    let found = records(kind)
    return found.count == 1 ? found[0] : nil
  }

  /// The slot of an entity; nil if the entity has been released.
  func slot(_ id: TraceID) -> TraceSlot? { slots.first { $0.id == id } }

  /// The site of that name.
  func site(_ name: String) -> TraceSite? { sites.first { $0.name == name } }

  /// The places where the values of a subscription are not numbered consecutively, within the exact
  /// window: the last part of the trace, of which every record is known.
  var gaps: [String] {
    var gaps: [String] = []
    var last: [UInt32: UInt32] = [:]
    for record in records where record.kind == .next && isExact(record) {
      if let before = last[record.id], record.argument != before &+ 1 {
        gaps.append("\(record.id): \(before), then \(record.argument)")
      }
      last[record.id] = record.argument
    }
    return last.isEmpty ? ["no values"] : gaps
  }
}
