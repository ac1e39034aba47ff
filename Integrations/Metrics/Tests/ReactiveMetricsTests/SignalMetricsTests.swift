import CoreMetrics
import Foundation
import MetricsTestKit
import Reactive
import ReactiveFindingMetrics
import ReactiveMetrics
import ReactiveTesting
import ReactiveTrace
import Testing

@Suite struct SignalMetricsTests {
  /// Traces the process of an exit test.
  static func start() throws -> String {
    var options = TraceOptions()
    options.size = 1 << 20
    options.path = NSTemporaryDirectory() + "reactive-metrics-\(getpid()).rxtrace"
    try Trace.start(options)
    return try #require(options.path)
  }

  static func value(_ metrics: TestMetrics, _ name: String, _ level: String? = nil) throws
    -> Double?
  {
    try metrics.expectGauge(name, level.map { [("level", $0)] } ?? []).lastValue
  }

  @Test func reportsLiveCounts() async {
    await #expect(processExitsWith: .success) {
      let path = try Self.start()
      defer { try? FileManager.default.removeItem(atPath: path) }
      let test = TestMetrics()
      let metrics = SignalMetrics(factory: test)
      let subject = Subject<Int, Never>()
      let bag = DisposableBag()
      for _ in 0..<3 { subject.signal.map { $0 + 1 }.subscribe { _ in }.store(in: bag) }
      #expect(metrics.sample())
      #expect(try Self.value(test, "reactive_subscriptions_root_live") == 3)
      let all = try #require(try Self.value(test, "reactive_subscriptions_live"))
      #expect(all >= 6)
      // The subject's signal is alive. The signals of the operators were released with the
      // expressions that made them, or are not retained.
      let signals = try #require(try Self.value(test, "reactive_signals_live"))
      #expect(signals >= 1)
      bag.empty()
      #expect(metrics.sample())
      #expect(try Self.value(test, "reactive_subscriptions_live") == 0)
      #expect(FindingMetrics(factory: test).sample())
      #expect(try Self.value(test, "reactive_findings", "violation") == 0)
      #expect(try Self.value(test, "reactive_findings", "leak") == 0)
    }
  }

  @Test func aLeakIsAFinding() async {
    await #expect(processExitsWith: .success) {
      let path = try Self.start()
      defer { try? FileManager.default.removeItem(atPath: path) }
      let test = TestMetrics()
      let metrics = FindingMetrics(prefix: "app", dimensions: [("host", "a")], factory: test)
      let subject = Subject<Int, Never>()
      // The number of subscriptions grows in each round.
      for round in 0..<8 {
        for _ in 0..<4 { subject.signal.subscribe { _ in } }
        Trace.mark("round \(round)")
      }
      #expect(metrics.sample())
      let gauge = try test.expectGauge("app_findings", [("host", "a"), ("level", "leak")])
      #expect(gauge.lastValue ?? 0 >= 1)
      withExtendedLifetime(subject) {}
    }
  }

  @Test func withoutATraceNothingIsSet() async {
    await #expect(processExitsWith: .success) {
      let test = TestMetrics()
      let metrics = SignalMetrics(factory: test)
      #expect(!metrics.sample())
      let signals = try Self.value(test, "reactive_signals_live")
      #expect(signals == nil)
    }
  }

  @Test func reportsPeriodicallyUntilItIsDisposedOf() async {
    await #expect(processExitsWith: .success) {
      let path = try Self.start()
      defer { try? FileManager.default.removeItem(atPath: path) }
      let test = TestMetrics()
      let time = TestScheduler()
      let reports = SignalMetrics(factory: test).report(every: .seconds(15), on: time)
      time.advance(by: .zero)
      let gauge = try test.expectGauge("reactive_timers_live")
      #expect(gauge.values == [1])
      time.advance(by: .seconds(30))
      #expect(gauge.values.count == 3)
      reports.dispose()
      time.advance(by: .seconds(30))
      #expect(gauge.values.count == 3)
    }
  }
}
