package import TraceModel
import TraceReading

/// A remark about lines of code for which a recording has no events.
package enum LevelRemark {
  /// A remark about the lines recorded at level `graph`; nil if there are none.
  ///
  /// The remark is `Recorded at level graph` if that is true of all lines, and otherwise `2 of 5
  /// lines recorded at level graph (map Noise.swift:3 and 1 more)`.
  package static func place(_ inspection: Inspection) -> String? {
    let silent = inspection.sites.filter { inspection.level(ofSite: $0.id) == .graph }
    guard inspection.program.level == .graph || !silent.isEmpty else { return nil }
    guard silent.count < inspection.sites.count else { return "Recorded at level graph" }
    guard let first = silent.first else { return nil }
    let more = silent.count > 1 ? " and \(silent.count - 1) more" : ""
    return
      "\(silent.count) of \(Words.count(inspection.sites.count, "line")) recorded at level graph (\(first.label)\(more))"
  }
}
