import CoreMetrics
import Synchronization

/// Gauges that are written to a page of text in the format of Prometheus.
final class TextFactory: MetricsFactory, Sendable {
  private let values = Mutex<[String: Double]>([:])

  /// A line for each gauge that has been set.
  ///
  /// The gauges with one name follow a line with their type.
  var text: String {
    values.withLock { values in
      let names = Set(values.keys.map { $0.prefix { $0 != "{" } })
      return names.sorted().map { name in
        let lines = values.filter { $0.key.prefix { $0 != "{" } == name }.sorted { $0.key < $1.key }
        return "# TYPE \(name) gauge\n" + lines.map { "\($0.key) \($0.value)\n" }.joined()
      }.joined()
    }
  }

  fileprivate func set(_ name: String, _ value: Double) { values.withLock { $0[name] = value } }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool)
    -> any RecorderHandler
  {
    let labels = dimensions.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
    return TextGauge(factory: self, name: labels.isEmpty ? label : "\(label){\(labels)}")
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    NOOPMetricsHandler.instance.makeCounter(label: label, dimensions: dimensions)
  }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    NOOPMetricsHandler.instance.makeTimer(label: label, dimensions: dimensions)
  }
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

private final class TextGauge: RecorderHandler {
  let factory: TextFactory
  let name: String

  init(factory: TextFactory, name: String) { (self.factory, self.name) = (factory, name) }

  func record(_ value: Int64) { factory.set(name, Double(value)) }
  func record(_ value: Double) { factory.set(name, value) }
}
