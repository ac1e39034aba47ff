import Reactive
import ReactiveTrace
import TraceReading

/// What the trace of this process says about one site.
struct ContractTrace {
  private let row: TraceSite?

  /// Reads the trace; nil where nothing is being recorded.
  init?(of site: Site) {
    guard Tracer.isOn, let path = Trace.path else { return nil }
    guard let snapshot = try? TraceReader(path: path, recordLimit: 1).snapshot() else {
      row = nil
      return
    }
    row = snapshot.sites.first { row in
      row.name == "\(site.name)" && row.file == "\(site.file)" && row.line == site.line
        && row.column == site.column
    }
  }

  /// What is wrong in the trace after all checks of the operator; empty if nothing is.
  var problems: [String] {
    guard let row else { return ["its site does not appear in the trace"] }
    var problems: [String] = []
    if row.signalsCreated == 0 { problems.append("the trace knows no signal of it") }
    if row.subscribed == 0 { problems.append("the trace knows no subscription of it") }
    if row.live > 0 {
      problems.append("\(row.live) of \(row.subscribed) subscriptions did not end in the trace")
    }
    if row.released < row.subscribed {
      problems.append(
        "the closures of \(row.subscribed - row.released) of \(row.subscribed) "
          + "subscriptions were not released in the trace"
      )
    }
    return problems
  }
}
