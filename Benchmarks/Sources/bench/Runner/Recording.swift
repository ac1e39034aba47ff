import Glibc
import Reactive
import ReactiveTrace

/// The trace of traced workloads: one for the whole process, of the default size of `RXTRACE=1`, in
/// memory if the system has a file system for that.
///
/// Its file is unlinked as soon as it is open, so that nothing is left of it, however the program
/// ends.
final class Recording {
  private var options: TraceOptions?
  private let isWarm: Bool
  private let isStreamed: Bool
  private let size: Int?

  /// Creates a recording that begins when the first traced side runs.
  ///
  /// - Parameters:
  ///   - isWarm: Whether the pages of the trace are written once beforehand, which is needed to
  ///     measure time.
  ///   - isStreamed: Whether records that the ring would overwrite are appended to the file.
  ///   - size: The bytes of the ring; by default as many as with `RXTRACE=1`.
  init(isWarm: Bool = true, isStreamed: Bool = false, size: Int? = nil) {
    self.size = size
    self.isWarm = isWarm
    self.isStreamed = isStreamed
  }

  /// A side that does the work of `side` while the process is recorded.
  func traced(_ level: TraceLevel, _ side: @escaping Workload.Side) -> Workload.Side {
    { [self] count in
      if options == nil { options = try open() }
      try resume(level)
      defer { Trace.stop() }
      return try side(count)
    }
  }

  private func resume(_ level: TraceLevel) throws {
    guard let options else { return }
    try Trace.start(options)
    Trace.level = level
    precondition(Trace.level == level, "traced: the recording is not at the level asked for")
  }

  private func open() throws -> TraceOptions {
    let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    // `mkdtemp` replaces the X's of the template in place.
    guard let template = strdup("\(place)/rxtrace-bench-XXXXXX"), mkdtemp(template) != nil else {
      throw RecordingError(place: place, code: errno)
    }
    defer { free(template) }
    let path = String(cString: template)
    var options = TraceOptions()
    options.path = "\(path)/bench.rxtrace"
    if isStreamed { options.mode = .stream }
    if let size { options.size = size }
    defer {
      unlink("\(path)/bench.rxtrace")
      rmdir(path)
    }
    try Trace.start(options)
    if isWarm { touch() }
    Trace.stop()
    return options
  }

  /// Writes once to the whole ring and once to the whole table of live entities: the first write to
  /// a page is expensive, and must not be measured.
  func touch() {
    Signal<Int, Never>.from(0..<opaque(4_000_000)).map { $0 }.subscribe()
    let subject = Reactive.Subject<Int, Never>()
    let signal = subject.signal.map { $0 }
    for _ in 0..<opaque(150_000) { signal.subscribe().dispose() }
  }
}

/// The trace cannot be created.
struct RecordingError: Error, CustomStringConvertible {
  let place: String
  let code: Int32

  var description: String {
    "cannot make a directory for the trace in \(place): \(String(cString: strerror(code)))"
  }
}

extension Workload {
  /// Compares this library traced with this library untraced, to measure what recording costs.
  func traced(_ level: TraceLevel, by recording: Recording, goal: Goal? = nil) -> Workload {
    Workload(
      name: "\(name)@\(level)",
      unit: unit,
      quotient: .tracedByUntraced,
      goal: goal,
      count: count,
      ours: recording.traced(level, ours),
      peer: ours
    )
  }
}
