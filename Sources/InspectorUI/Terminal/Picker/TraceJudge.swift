import Synchronization
import TraceFindings
import TraceModel
package import TraceReading

/// Looks for the worst finding of one trace after the other, besides the thread that asks.
///
/// A recording is looked through once, as long as it stays as it is. A program that runs is looked through again after
/// ``pause``, and not before twenty times what the last time took: the program it watches needs the processor more.
package final class TraceJudge: Sendable {
  /// The least between two looks through the trace of a running program.
  package static let pause = Duration.seconds(10)
  /// What a trace may take on the disk: what is larger is not read unasked.
  package static let limit = 256 << 20

  private struct Judged {
    var stamp: TraceWatch.Stamp
    var wasRunning: Bool
    var verdict: TraceVerdict
    /// When it may be looked through again, if it runs.
    var until: ContinuousClock.Instant
  }

  private struct State {
    var queue: [TraceWatch.File] = []
    var isBusy = false
    /// The path of the one that is being looked through.
    var current: String?
    var judged: [String: Judged] = [:]
  }

  private let state = Mutex(State())
  private let judge: @Sendable (String) -> TraceVerdict
  private let run: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// One that has looked through nothing.
  ///
  /// - Parameters:
  ///   - judge: Looks through the trace at a path.
  ///   - run: Does something besides the thread that asks; tests do it at once.
  package init(
    judge: @escaping @Sendable (String) -> TraceVerdict = TraceJudge.verdict,
    run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
      Task.detached(priority: .utility) { work() }
    }
  ) {
    (self.judge, self.run) = (judge, run)
  }

  /// What was found, by path.
  package var verdicts: [String: TraceVerdict] {
    state.withLock { $0.judged.mapValues(\.verdict) }
  }

  /// Whether a trace is being looked through.
  package var isBusy: Bool { state.withLock { $0.isBusy } }

  /// Looks through those of which nothing is known, or nothing new, in this order, and through none that was asked for before.
  ///
  /// Returns at once; what is found stands in ``verdicts`` later.
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

  /// Lets go of what was not begun yet.
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

  /// What is found in the trace at a path.
  ///
  /// - Complexity: As opening it.
  package static func verdict(of path: String) -> TraceVerdict {
    do throws(TraceError) {
      var source = try TraceSource(path: path)
      return TraceVerdict(try source.inspection(at: .end))
    } catch {
      return TraceVerdict(problem: error.description)
    }
  }
}
