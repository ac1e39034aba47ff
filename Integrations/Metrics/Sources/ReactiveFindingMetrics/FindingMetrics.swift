public import CoreMetrics
public import Reactive
import ReactiveTrace
import TraceFindings
import TraceModel
import TraceReading

/// Gauges of what looks wrong in a program: `reactive_findings`, with a dimension `level`, `violation`, `leak` or `suspect`.
///
/// ```swift
/// FindingMetrics().report(every: .seconds(60), on: .background)
/// ```
///
/// The program reads its own trace, and links the reader and the rules for that; `SignalMetrics` does without. The level `graph` suffices
/// for everything but some findings.
public final class FindingMetrics: Sendable {
  private let gauges: [FindingLevel: Gauge]

  /// Gauges that are set by ``sample()`` and ``report(every:on:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - prefix: Before the name.
  ///   - dimensions: What distinguishes this process from others.
  ///   - factory: Where the gauges are made; nil for the program's `MetricsSystem`.
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
  /// Goes through the events that the ring holds: a millisecond or more, up to a second for a full ring of 64 MiB.
  ///
  /// - Returns: False where the process is not traced, or its trace cannot be read: then nothing is set.
  @discardableResult
  public func sample() -> Bool {
    guard let path = Trace.path, let reader = try? TraceReader(path: path),
      let trace = try? reader.snapshot()
    else { return false }
    let found = FindingEngine.findings(in: trace, inspection: Inspection())
    for (level, gauge) in gauges { gauge.record(found.count { $0.level == level }) }
    return true
  }

  /// Sets the gauges again and again.
  ///
  /// - Parameters:
  ///   - interval: Time between; must be positive.
  ///   - scheduler: Where the trace is read: not where something waits for it.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the timer.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: Stops it. Dropping it does not.
  @discardableResult
  public func report(
    every interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> any Disposable {
    scheduler.schedule(every: interval, after: .zero, file: file, line: line, column: column) {
      self.sample()
    }
  }
}
