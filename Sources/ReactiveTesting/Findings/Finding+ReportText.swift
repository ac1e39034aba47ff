import TraceFindings
import TraceModel

extension Finding {
  /// One line for a test's report: what, where, why, and what to do.
  var reportText: String {
    let cap = cap.map { " (\($0))" } ?? ""
    let blame = callers.flatMap { $0.blamed == nil ? nil : " " + $0.sentence } ?? ""
    let evidence = evidence.text + (callers.map { "; \($0.list)" } ?? "")
    return
      "\(level.label) \(displayName(name)) @ \(displayName(location)): "
      + "\(displayName(sentence, columns: 2000))\(cap)\(displayName(blame, columns: 2000)) "
      + "\(displayName(remedy, columns: 2000)) Evidence: \(displayName(evidence, columns: 2000))"
  }
}
