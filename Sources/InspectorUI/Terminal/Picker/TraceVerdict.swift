package import TraceModel

/// What was found in a trace, as far as a list of traces shows it.
package struct TraceVerdict: Sendable, Hashable {
  /// How sure the worst finding is; nil where nothing was found.
  package var level: FindingLevel?
  /// The kind of finding, in a few words.
  package var title = ""
  /// The place and the finding, in a sentence, unfiltered.
  package var sentence = ""
  /// How many findings there are.
  package var count = 0
  /// Whether the program is known to have crashed; nil where nothing is known of its end.
  package var isCrash: Bool?
  /// Why the trace was not examined, in a sentence, unfiltered.
  package var problem: String?

  /// A trace in which nothing was found.
  package init() {}

  /// The verdict on a trace that was not examined, with the reason.
  package init(problem: String) { self.problem = problem }

  /// The verdict on an inspection of the end.
  package init(_ inspection: Inspection) {
    let findings = inspection.findings
    count = findings.count
    if inspection.program.ending != nil { isCrash = inspection.program.ending?.isCrash }
    guard let worst = findings.first else { return }
    level = worst.level
    title = worst.kind.title
    sentence = "\(worst.name)@\(worst.location): \(worst.sentence)"
  }

  /// `LEAK subscription outlives its owner`; nil where nothing was found.
  var words: String? {
    if problem != nil { return Quantity.unknown }
    return level.map { "\($0.label) \(title)" }
  }
}
