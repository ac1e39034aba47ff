import TraceModel
import TraceReading

/// Identifies a finding across runs.
enum Fingerprint {
  /// A hash of the kind, of the operator with its file and line, and of the operators upstream in
  /// order: nothing in it differs from run to run.
  static func of(_ kind: FindingKind, _ site: TraceSite, chain: [String]) -> String {
    hash([kind.rawValue, site.name, site.location] + chain)
  }

  /// The same hash, but without line numbers.
  ///
  /// Several findings that differ only in their lines have equal hashes until ``number(_:_:)``
  /// distinguishes them.
  static func loose(_ kind: FindingKind, _ site: TraceSite, chain: [String]) -> String {
    let shape = chain.map { place in
      place.lastIndex(of: ":").map { String(place[..<$0]) } ?? place
    }
    // "0" is the ordinal of the first of several findings with equal hashes.
    return hash([kind.rawValue, site.name, site.file, "0"] + shape)
  }

  /// Distinguishes findings that have the same loose fingerprint by their order in the file.
  ///
  /// Lines of the same operator without a finding are not counted, so that adding or removing such
  /// a line does not change the fingerprint.
  static func number(_ findings: inout [Finding], _ sites: [TraceSite]) {
    func place(_ finding: Finding) -> (UInt32, UInt32, UInt64) {
      let site = Int(finding.site) < sites.count ? sites[Int(finding.site)] : TraceSite()
      return (site.line, site.column, finding.subject?.serial ?? 0)
    }
    for equal in Dictionary(grouping: findings.indices, by: { findings[$0].looseFingerprint })
      .values
    where equal.count > 1 {
      let ordered = equal.sorted { place(findings[$0]) < place(findings[$1]) }
      for (ordinal, index) in ordered.enumerated().dropFirst() {
        findings[index].looseFingerprint = hash([findings[index].looseFingerprint, "\(ordinal)"])
      }
    }
  }

  private static func hash(_ parts: [String]) -> String {
    // FNV-1a, 64 bits; the separator is a control character, which real names do not contain.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in parts.joined(separator: "\u{1F}").utf8 {
      hash ^= UInt64(byte)
      hash &*= 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
