import Synchronization
import TraceFindings
import TraceModel
package import TraceReading

/// Looks for the worst finding of each trace, one trace at a time, on another thread.
///
/// A recording is examined again only if it changes. The trace of a running program is examined
/// again after ``pause``, or after twenty times the duration of the last examination if that is
/// longer, so that processor time is left for the program.
package final class TraceChecker: Sendable {
  /// The minimum time between two examinations of a running program's trace.
  package static let pause = Duration.seconds(10)
  /// The maximum size on disk of a trace that is examined automatically.
  package static let limit = 256 << 20

  private struct Checked {
    var stamp: TraceWatch.Stamp
    var wasRunning: Bool
    var verdict: TraceVerdict
    /// The earliest time at which the trace of a running program is examined again.
    var until: ContinuousClock.Instant
  }

  private struct State {
    var queue: [TraceWatch.File] = []
    var isBusy = false
    /// The path of the trace that is being examined.
    var current: String?
    var checked: [String: Checked] = [:]
  }

  private let state = Mutex(State())
  private let check: @Sendable (String) -> TraceVerdict
  private let run: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates a checker that has not examined anything yet.
  ///
  /// - Parameters:
  ///   - check: Examines the trace at a path.
  ///   - run: Runs a closure on another thread; in tests, it may run the closure immediately.
  package init(
    check: @escaping @Sendable (String) -> TraceVerdict = TraceChecker.verdict,
    run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
      Task.detached(priority: .utility) { work() }
    }
  ) {
    (self.check, self.run) = (check, run)
  }

  /// The verdicts so far, by path.
  package var verdicts: [String: TraceVerdict] {
    state.withLock { $0.checked.mapValues(\.verdict) }
  }

  /// Whether a trace is being examined.
  package var isBusy: Bool { state.withLock { $0.isBusy } }

  /// Requests the examination of files, in the given order; files whose verdict is still valid
  /// are skipped.
  ///
  /// Earlier requests that have not begun are dropped. The function returns immediately, and the
  /// verdicts appear in ``verdicts`` later.
  package func enqueue(_ files: [TraceWatch.File], at now: ContinuousClock.Instant = .now) {
    let begins = state.withLock { state in
      let there = Set(files.map(\.path))
      state.checked = state.checked.filter { there.contains($0.key) }
      state.queue = files.filter { file in
        guard case .success = file.header, file.path != state.current else { return false }
        return !Self.isKnown(file, state.checked[file.path], now)
      }
      guard !state.isBusy, !state.queue.isEmpty else { return false }
      state.isBusy = true
      return true
    }
    if begins { run { [self] in work() } }
  }

  /// Drops requests that have not begun yet.
  package func stop() { state.withLock { $0.queue = [] } }

  private static func isKnown(
    _ file: TraceWatch.File,
    _ checked: Checked?,
    _ now: ContinuousClock.Instant
  ) -> Bool {
    guard let checked, checked.stamp.isOfSameFile(as: file.stamp) else { return false }
    let isRunning = file.status == .running
    guard checked.wasRunning == isRunning else { return false }
    return isRunning ? now < checked.until : checked.stamp == file.stamp
  }

  private func next() -> TraceWatch.File? {
    state.withLock { state in
      guard !state.queue.isEmpty else {
        state.isBusy = false
        return nil
      }
      let file = state.queue.removeFirst()
      state.current = file.path
      return file
    }
  }

  private func work() {
    while let file = next() {
      let start = ContinuousClock.now
      let verdict =
        file.stamp.allocated > Self.limit
        ? TraceVerdict(
          problem:
            "It is too large to be checked automatically: open it, or run rxtop check on the file."
        ) : check(file.path)
      let end = ContinuousClock.now
      state.withLock { state in
        state.current = nil
        state.checked[file.path] = Checked(
          stamp: file.stamp,
          wasRunning: file.status == .running,
          verdict: verdict,
          until: end + max(Self.pause, (end - start) * 20)
        )
      }
    }
  }

  /// Examines the trace at a path.
  ///
  /// - Complexity: Dominated by reading the records, like opening the trace.
  package static func verdict(of path: String) -> TraceVerdict {
    do throws(TraceError) {
      var source = try TraceSource(path: path)
      return TraceVerdict(try source.inspection(at: .end))
    } catch {
      return TraceVerdict(problem: error.description)
    }
  }
}
