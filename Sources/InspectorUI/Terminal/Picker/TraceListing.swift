package import TraceReading

/// The traces from which the user can choose at one moment.
package struct TraceListing: Sendable {
  /// The time of the listing, in nanoseconds since 1970.
  package var now: UInt64
  /// The files, in the order in which they are listed.
  package var files: [TraceWatch.File]
  /// The verdicts so far, which summarize the findings in each trace, by path.
  package var verdicts: [String: TraceVerdict]

  /// Creates a listing.
  package init(now: UInt64, files: [TraceWatch.File], verdicts: [String: TraceVerdict] = [:]) {
    (self.now, self.files, self.verdicts) = (now, files, verdicts)
  }
}

/// Provides the data of the start screen.
package protocol TraceListings {
  /// Lists the traces again, and requests verdicts on them.
  ///
  /// - Parameter selected: The path of the selected trace, which is examined first.
  /// - Returns: The files, and the verdicts so far.
  mutating func refresh(selected: String?) -> TraceListing
  /// The verdicts so far, by path.
  var verdicts: [String: TraceVerdict] { get }
  /// Whether traces are being examined, so that there will soon be more verdicts.
  var isChecking: Bool { get }
}

/// The traces in some directories, which a ``TraceChecker`` examines.
package struct WatchedTraces: TraceListings {
  private var watch: TraceWatch
  private let checker = TraceChecker()
  private let now: () -> UInt64

  /// Creates listings of the traces in some directories.
  ///
  /// - Parameters:
  ///   - directories: The directories; by default those in which programs record.
  ///   - now: Returns the current time in nanoseconds since 1970.
  package init(_ directories: [String] = TraceDirectory.candidates(), now: @escaping () -> UInt64) {
    watch = TraceWatch(directories)
    self.now = now
  }

  package var verdicts: [String: TraceVerdict] { checker.verdicts }
  package var isChecking: Bool { checker.isBusy }

  package mutating func refresh(selected: String?) -> TraceListing {
    let files = watch.refresh()
    let first = files.filter { $0.path == selected }
    checker.enqueue(first + files.filter { $0.path != selected })
    return TraceListing(now: now(), files: files, verdicts: checker.verdicts)
  }

  /// Drops requests that have not begun yet.
  package func stop() { checker.stop() }
}
