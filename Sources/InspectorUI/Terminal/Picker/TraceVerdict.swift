package import TraceModel

/// The part of a trace's findings that a list of traces shows.
package struct TraceVerdict: Sendable, Hashable {
  /// The level of the worst finding; nil if nothing was found.
  package var level: FindingLevel?
  /// The kind of the worst finding, in a few words.
  package var title = ""
  /// A sentence with the line that the worst finding accuses and what is wrong there; it may
  /// contain control characters.
  package var sentence = ""
  /// The number of findings.
  package var count = 0
  /// Whether the program crashed; nil if nothing is known about its end.
  package var isCrash: Bool?
  /// A sentence that says why the trace was not examined, which may contain control characters.
  package var problem: String?

  /// Creates a verdict that nothing was found.
  package init() {}

  /// Creates a verdict on a trace that was not examined, with the reason.
  package init(problem: String) { self.problem = problem }

  /// Creates a verdict from the inspection of the end of a trace.
  package init(_ inspection: Inspection) {
    let findings = inspection.findings
    count = findings.count
    if inspection.program.ending != nil { isCrash = inspection.program.ending?.isCrash }
    guard let worst = findings.first else { return }
    level = worst.level
    title = worst.kind.title
    sentence = "\(worst.name)@\(worst.location): \(worst.sentence)"
  }

  /// The verdict in a few words, such as `LEAK subscription outlives its owner`, or `?` if the
  /// trace was not examined; nil if nothing was found.
  var words: String? {
    if problem != nil { return Quantity.unknown }
    return level.map { "\($0.label) \(title)" }
  }
}
