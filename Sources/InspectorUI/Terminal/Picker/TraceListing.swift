package import TraceReading

/// What there is to choose from at one moment.
package struct TraceListing: Sendable {
  /// Nanoseconds since 1970.
  package var now: UInt64
  /// In the order in which they are listed.
  package var files: [TraceWatch.File]
  /// What was found, by path.
  package var verdicts: [String: TraceVerdict]

  /// A look.
  package init(now: UInt64, files: [TraceWatch.File], verdicts: [String: TraceVerdict] = [:]) {
    (self.now, self.files, self.verdicts) = (now, files, verdicts)
  }
}

/// Where the start screen gets what it shows.
package protocol TraceListings {
  /// What there is now.
  ///
  /// - Parameter selected: The path of the selected row, of which findings are wanted first.
  /// - Returns: The files, and what was found in them until now.
  mutating func refreshed(selected: String?) -> TraceListing
  /// What was found until now, by path.
  var verdicts: [String: TraceVerdict] { get }
  /// Whether traces are being looked through, so that there will soon be more verdicts.
  var isJudging: Bool { get }
}

/// The directories of traces, and a ``TraceJudge`` that looks through what is in them.
package struct WatchedTraces: TraceListings {
  private var watch: TraceWatch
  private let judge = TraceJudge()
  private let now: () -> UInt64

  /// Traces in the usual directories.
  ///
  /// - Parameters:
  ///   - directories: Where they are.
  ///   - now: Nanoseconds since 1970.
  package init(
    _ directories: [String] = TraceDirectory.candidates(),
    now: @escaping () -> UInt64
  ) {
    watch = TraceWatch(directories)
    self.now = now
  }

  package var verdicts: [String: TraceVerdict] { judge.verdicts }
  package var isJudging: Bool { judge.isBusy }

  package mutating func refreshed(selected: String?) -> TraceListing {
    let files = watch.refreshed()
    let first = files.filter { $0.path == selected }
    judge.ask(about: first + files.filter { $0.path != selected })
    return TraceListing(now: now(), files: files, verdicts: judge.verdicts)
  }

  /// Lets go of what was not looked through yet.
  package func stop() { judge.stop() }
}
