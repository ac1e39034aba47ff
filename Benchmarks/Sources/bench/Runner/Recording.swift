import Glibc
import Reactive
import ReactiveTrace

/// The trace that traced workloads are recorded into: one for the process, of the size that `RXTRACE=1`
/// makes, in memory where the system offers a place for that.
///
/// Its file is nameless as soon as it is open, so that nothing is left behind, however the program ends.
final class Recording {
  private var options: TraceOptions?
  private let isWarm: Bool
  private let isStreamed: Bool
  private let size: Int?

  /// A recording that begins with the first traced side.
  ///
  /// - Parameters:
  ///   - isWarm: Whether its pages are written once before: where time is measured.
  ///   - isStreamed: Whether what the ring would overwrite is appended to the file.
  ///   - size: Bytes of the ring; those of `RXTRACE=1` if none is given.
  init(isWarm: Bool = true, isStreamed: Bool = false, size: Int? = nil) {
    self.size = size
    self.isWarm = isWarm
    self.isStreamed = isStreamed
  }

  /// A side that does what `side` does while the process is recorded.
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
    // Changed in place: the X become the name.
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

  /// Writes once round the ring and once through the table of live entities: the first write to a page
  /// is expensive, and not what is measured.
  func touch() {
    Signal<Int, Never>.from(0..<opaque(4_000_000)).map { $0 }.subscribe()
    let subject = Reactive.Subject<Int, Never>()
    let signal = subject.signal.map { $0 }
    for _ in 0..<opaque(150_000) { signal.subscribe().dispose() }
  }
}

/// There is no place for the trace.
struct RecordingError: Error, CustomStringConvertible {
  let place: String
  let code: Int32

  var description: String {
    "cannot make a directory for the trace in \(place): \(String(cString: strerror(code)))"
  }
}

extension Workload {
  /// What recording costs: this library traced beside this library untraced.
  func traced(
    _ level: TraceLevel,
    by recording: Recording,
    goal: Goal? = nil
  ) -> Workload {
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
