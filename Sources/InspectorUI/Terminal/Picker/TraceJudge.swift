import Synchronization
import TraceFindings
import TraceModel
package import TraceReading

/// Finds the worst finding of one trace after the other, on another thread than the caller's.
///
/// A recording is examined once, unless it changes. The trace of a running program is examined
/// again after ``pause``, and not before twenty times the duration of the last examination: the
/// program needs the processor more.
package final class TraceJudge: Sendable {
  /// The minimum time between two examinations of a running program's trace.
  package static let pause = Duration.seconds(10)
  /// The maximum size on the disk of a trace that is examined without being asked for.
  package static let limit = 256 << 20

  private struct Judged {
    var stamp: TraceWatch.Stamp
    var wasRunning: Bool
    var verdict: TraceVerdict
    /// The time from which on it may be examined again, if it is running.
    var until: ContinuousClock.Instant
  }

  private struct State {
    var queue: [TraceWatch.File] = []
    var isBusy = false
    /// The path of the trace that is being examined.
    var current: String?
    var judged: [String: Judged] = [:]
  }

  private let state = Mutex(State())
  private let judge: @Sendable (String) -> TraceVerdict
  private let run: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// A judge that has examined nothing.
  ///
  /// - Parameters:
  ///   - judge: Examines the trace at a path.
  ///   - run: Runs a closure on another thread; tests run it at once.
  package init(
    judge: @escaping @Sendable (String) -> TraceVerdict = TraceJudge.verdict,
    run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
      Task.detached(priority: .utility) { work() }
    }
  ) {
    (self.judge, self.run) = (judge, run)
  }

  /// The results, by path.
  package var verdicts: [String: TraceVerdict] {
    state.withLock { $0.judged.mapValues(\.verdict) }
  }

  /// Whether a trace is being examined.
  package var isBusy: Bool { state.withLock { $0.isBusy } }

  /// Examines the files without a result, or without a recent one, in this order; drops earlier
  /// requests.
  ///
  /// Returns at once; results appear in ``verdicts`` later.
  package func ask(about files: [TraceWatch.File], at now: ContinuousClock.Instant = .now) {
    let begins = state.withLock { state in
      let there = Set(files.map(\.path))
      state.judged = state.judged.filter { there.contains($0.key) }
      state.queue = files.filter { file in
        guard case .success = file.header, file.path != state.current else { return false }
        return !Self.isKnown(file, state.judged[file.path], now)
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
    _ judged: Judged?,
    _ now: ContinuousClock.Instant
  ) -> Bool {
    guard let judged, judged.stamp.isOfSameFile(as: file.stamp) else { return false }
    let isRunning = file.status == .running
    guard judged.wasRunning == isRunning else { return false }
    return isRunning ? now < judged.until : judged.stamp == file.stamp
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
            "It is too large to be looked through unasked: open it, or run rxtop check on the file."
        ) : judge(file.path)
      let end = ContinuousClock.now
      state.withLock { state in
        state.current = nil
        state.judged[file.path] = Judged(
          stamp: file.stamp,
          wasRunning: file.status == .running,
          verdict: verdict,
          until: end + max(Self.pause, (end - start) * 20)
        )
      }
    }
  }

  /// The findings of the trace at a path.
  ///
  /// - Complexity: That of opening it.
  package static func verdict(of path: String) -> TraceVerdict {
    do throws(TraceError) {
      var source = try TraceSource(path: path)
      return TraceVerdict(try source.inspection(at: .end))
    } catch {
      return TraceVerdict(problem: error.description)
    }
  }
}
