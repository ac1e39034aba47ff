import Glibc
import Reactive
import ReactiveTrace
import TraceModel
import TraceReading

/// The ends of subscriptions in a recording of this process, for exit tests.
struct EndReport {
  let snapshot: TraceSnapshot
  let store: EntityStore

  init(_ snapshot: TraceSnapshot) {
    self.snapshot = snapshot
    store = EntityStore(snapshot)
  }

  /// Records what `body` does.
  init(level: TraceLevel = .events, of body: () async throws -> Void) async throws {
    var options = TraceOptions()
    options.level = level
    options.startupSize = level == .graph ? 0 : nil
    options.maximumLevel = max(level, .events)
    options.path = "/tmp/reactive-ends-\(getpid()).rxtrace"
    try Trace.start(options)
    defer { options.path.map { _ = unlink($0) } }
    try await body()
    Trace.stop()
    self.init(try TraceReader(path: options.path ?? "").snapshot())
  }

  /// The indices of all records of ends, in order.
  var rows: [Int] {
    snapshot.records.indices.filter { snapshot.records[$0].kind == .ended }
  }

  /// One line for each end: what ended, how, and what ended it (`map cancelled: operator take`).
  var lines: [String] {
    rows.map { row in
      let record = snapshot.records[row]
      let cause = EndedBy(ofEndIn: row, snapshot.records)
      let by = cause.flatMap { $0.by == .none ? nil : name($0.by, row) } ?? ""
      let what = "\(name(record.entity, row)) \(record.endReason?.text ?? "?")"
      let text = "\(what): \(cause.map { "\($0.cause)" } ?? "unknown") \(by)"
      return text.hasSuffix(" ") ? String(text.dropLast()) : text
    }
  }

  /// The index of the record of the first end of an operator.
  func row(of name: String) -> Int? {
    rows.first { self.name(snapshot.records[$0].entity, $0) == name }
  }

  /// The cause of the first end of an operator.
  func cause(of name: String) -> EndedBy? {
    row(of: name).flatMap { EndedBy(ofEndIn: $0, snapshot.records) }
  }

  func site(_ id: TraceID, _ row: Int) -> TraceSite? {
    store.life(id, at: row).flatMap { snapshot.site($0.site) }
  }

  private func name(_ id: TraceID, _ row: Int) -> String { site(id, row)?.name ?? "?" }
}
