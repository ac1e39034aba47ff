public import CoreMetrics
public import Reactive
import ReactiveTrace
import TraceFindings
import TraceModel
import TraceReading

/// Gauges of what a program has alive, and of what looks wrong, for the system its owners watch already.
///
/// ```swift
/// try Trace.start(TraceOptions(level: .graph))      // or RXTRACE=graph in the environment
/// let metrics = SignalMetrics()
/// metrics.report(every: .seconds(15), on: .background)
/// ```
///
/// | Gauge | What |
/// |---|---|
/// | `reactive_signals_live` | signals that have not been released |
/// | `reactive_subscriptions_live` | subscriptions that have not ended, also those of operators |
/// | `reactive_subscriptions_root_live` | those that the program has made itself |
/// | `reactive_timers_live` | timers that are armed |
/// | `reactive_findings` | findings, with a dimension `level`: `violation`, `leak`, `suspect` |
///
/// All of it is read from the trace of the process: what is not traced is not counted. The level `graph` suffices for
/// everything but some findings.
public final class SignalMetrics: Sendable {
  private let signals: Gauge
  private let subscriptions: Gauge
  private let roots: Gauge
  private let timers: Gauge
  private let findings: [FindingLevel: Gauge]

  /// Gauges that are set by ``sample(findings:)`` and ``report(every:on:findings:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - prefix: Before each name.
  ///   - dimensions: What distinguishes this process from others.
  ///   - factory: Where the gauges are made; nil for the program's `MetricsSystem`.
  public init(
    prefix: String = "reactive",
    dimensions: [(String, String)] = [],
    factory: (any MetricsFactory)? = nil
  ) {
    let factory = factory ?? MetricsSystem.factory
    func gauge(_ name: String, _ more: [(String, String)] = []) -> Gauge {
      Gauge(label: "\(prefix)_\(name)", dimensions: dimensions + more, factory: factory)
    }
    signals = gauge("signals_live")
    subscriptions = gauge("subscriptions_live")
    roots = gauge("subscriptions_root_live")
    timers = gauge("timers_live")
    let levels: [FindingLevel] = [.violation, .leak, .suspect]
    findings = Dictionary(
      uniqueKeysWithValues: levels.map { level in
        (level, gauge("findings", [("level", level.label.lowercased())]))
      }
    )
  }

  /// Sets the gauges once.
  ///
  /// Reads the trace, which costs a millisecond or more where much is alive, and with findings, which go through
  /// the events that the ring holds, up to a second for a full ring of 64 MiB.
  ///
  /// - Parameter wantsFindings: Whether to look for findings, too.
  /// - Returns: False where the process is not traced, or its trace cannot be read: then nothing is set.
  @discardableResult
  public func sample(findings wantsFindings: Bool = true) -> Bool {
    guard let path = Trace.path, let reader = try? TraceReader(path: path),
      let trace = try? reader.snapshot()
    else { return false }
    let living = trace.slots.filter { $0.kind == .subscription && $0.state != .ended }
    signals.record(trace.slots.count { $0.kind == .signal && $0.state != .ended })
    subscriptions.record(living.count)
    let rootSites = Set(trace.sites.filter { $0.traits.contains(.root) }.map(\.index))
    roots.record(living.count { rootSites.contains($0.site) })
    timers.record(trace.slots.count { $0.kind == .timer && $0.state != .ended })
    if wantsFindings {
      let found = FindingEngine.findings(in: trace, inspection: Inspection())
      for (level, gauge) in findings { gauge.record(found.count { $0.level == level }) }
    }
    return true
  }

  /// Sets the gauges again and again.
  ///
  /// - Parameters:
  ///   - interval: Time between; must be positive.
  ///   - scheduler: Where the trace is read: not where something waits for it.
  ///   - findings: Whether to look for findings, too.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the timer.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: Stops it. Dropping it does not.
  @discardableResult
  public func report(
    every interval: Duration,
    on scheduler: some Scheduler,
    findings: Bool = true,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> any Disposable {
    scheduler.schedule(every: interval, after: .zero, file: file, line: line, column: column) {
      self.sample(findings: findings)
    }
  }
}
