public import CoreMetrics
public import Reactive
import ReactiveTrace
import TraceFindings
import TraceModel
import TraceReading

/// Gauges of the findings in a program: `reactive_findings`, whose dimension `level` is
/// `violation`, `leak` or `suspect`.
///
/// ```swift
/// FindingMetrics().report(every: .seconds(60), on: .background)
/// ```
///
/// The program reads its own trace, and therefore links the trace reader and the rules of findings,
/// which `SignalMetrics` does not need. Some findings need the level `events`; for all others,
/// `graph` suffices.
public final class FindingMetrics: Sendable {
  private let gauges: [FindingLevel: Gauge]

  /// Creates gauges that are set by ``sample()`` and ``report(every:on:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of the gauge's name.
  ///   - dimensions: Dimensions that distinguish this process from others.
  ///   - factory: The factory that makes the gauges; nil for the factory of the program's
  ///     `MetricsSystem`.
  public init(
    prefix: String = "reactive",
    dimensions: [(String, String)] = [],
    factory: (any MetricsFactory)? = nil
  ) {
    let factory = factory ?? MetricsSystem.factory
    let levels: [FindingLevel] = [.violation, .leak, .suspect]
    gauges = Dictionary(
      uniqueKeysWithValues: levels.map { level in
        let dimension = ("level", level.label.lowercased())
        let label = "\(prefix)_findings"
        return (level, Gauge(label: label, dimensions: dimensions + [dimension], factory: factory))
      }
    )
  }

  /// Sets the gauges once.
  ///
  /// The call reads the events in the ring, which takes at least a millisecond, and up to a second
  /// for a full ring of 64 MiB.
  ///
  /// - Returns: False if the process is not traced, or its trace cannot be read; then nothing is
  ///   set.
  @discardableResult
  public func sample() -> Bool {
    guard let path = Trace.path, let reader = try? TraceReader(path: path),
      let trace = try? reader.snapshot()
    else { return false }
    let found = FindingEngine.findings(in: trace, inspection: Inspection())
    for (level, gauge) in gauges { gauge.record(found.count { $0.level == level }) }
    return true
  }

  /// Sets the gauges periodically.
  ///
  /// - Parameters:
  ///   - interval: The time between two samples; must be positive.
  ///   - scheduler: The scheduler on which the trace is read; other work of the scheduler waits
  ///     meanwhile.
  /// - Returns: A disposable that stops the reports; releasing it does not stop them.
  @discardableResult
  public func report(
    every interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    scheduler.schedule(every: interval, after: .zero, file: file, line: line, column: column) {
      self.sample()
    }
  }
}
