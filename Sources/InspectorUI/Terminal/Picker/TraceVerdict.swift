package import TraceModel

/// The part of a trace's findings that a list of traces shows.
package struct TraceVerdict: Sendable, Hashable {
  /// The level of the worst finding; nil where nothing was found.
  package var level: FindingLevel?
  /// The kind of that finding, in a few words.
  package var title = ""
  /// The accused line and what is wrong there, in a sentence that may have control characters.
  package var sentence = ""
  /// The number of findings.
  package var count = 0
  /// Whether the program is known to have crashed; nil where nothing is known of its end.
  package var isCrash: Bool?
  /// Why the trace was not examined, in a sentence that may have control characters.
  package var problem: String?

  /// A trace in which nothing was found.
  package init() {}

  /// The verdict on a trace that was not examined, with the reason.
  package init(problem: String) { self.problem = problem }

  /// The verdict on the end of a trace, given its inspection.
  package init(_ inspection: Inspection) {
    let findings = inspection.findings
    count = findings.count
    if inspection.program.ending != nil { isCrash = inspection.program.ending?.isCrash }
    guard let worst = findings.first else { return }
    level = worst.level
    title = worst.kind.title
    sentence = "\(worst.name)@\(worst.location): \(worst.sentence)"
  }

  /// The verdict in a few words, such as `LEAK subscription outlives its owner`; nil where nothing
  /// was found.
  var words: String? {
    if problem != nil { return Quantity.unknown }
    return level.map { "\($0.label) \(title)" }
  }
}
