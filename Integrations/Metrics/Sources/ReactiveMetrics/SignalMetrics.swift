public import CoreMetrics
public import Reactive
import ReactiveTrace

/// Gauges of a program's live signals, subscriptions and timers, for the monitoring system that the
/// program already uses.
///
/// ```swift
/// try Trace.start(TraceOptions(level: .graph))      // or RXTRACE=graph in the environment
/// let metrics = SignalMetrics()
/// metrics.report(every: .seconds(15), on: .background)
/// ```
///
/// | Gauge | Counts |
/// |---|---|
/// | `reactive_signals_live` | signals that have not been released |
/// | `reactive_subscriptions_live` | subscriptions that have not ended, including those of operators |
/// | `reactive_subscriptions_root_live` | live subscriptions that the program made itself |
/// | `reactive_timers_live` | timers that are armed |
///
/// The gauges show counters of the recorder. The counters do not include entities that are not
/// traced; the level `graph` suffices. `FindingMetrics`, of the module `ReactiveFindingMetrics`,
/// reports findings.
public final class SignalMetrics: Sendable {
  private let signals: Gauge
  private let subscriptions: Gauge
  private let roots: Gauge
  private let timers: Gauge

  /// Creates gauges that are set by ``sample()`` and ``report(every:on:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of each gauge's name.
  ///   - dimensions: Dimensions that distinguish this process from others.
  ///   - factory: The factory that makes the gauges; nil for the factory of the program's
  ///     `MetricsSystem`.
  public init(
    prefix: String = "reactive",
    dimensions: [(String, String)] = [],
    factory: (any MetricsFactory)? = nil
  ) {
    let factory = factory ?? MetricsSystem.factory
    func gauge(_ name: String) -> Gauge {
      Gauge(label: "\(prefix)_\(name)", dimensions: dimensions, factory: factory)
    }
    signals = gauge("signals_live")
    subscriptions = gauge("subscriptions_live")
    roots = gauge("subscriptions_root_live")
    timers = gauge("timers_live")
  }

  /// Sets the gauges once, which takes some microseconds.
  ///
  /// - Returns: False if nothing was ever recorded in this process; then nothing is set.
  @discardableResult
  public func sample() -> Bool {
    guard let live = LiveCounts.now() else { return false }
    signals.record(live.signals)
    subscriptions.record(live.subscriptions)
    roots.record(live.rootSubscriptions)
    timers.record(live.timers)
    return true
  }

  /// Sets the gauges periodically.
  ///
  /// - Parameters:
  ///   - interval: The time between two samples; must be positive.
  ///   - scheduler: The scheduler on which the gauges are set.
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
