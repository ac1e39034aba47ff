import TraceModel
import TraceReading

/// What a finding is recognised by in another run.
enum Fingerprint {
  /// A hash of the kind, the operator, its file and line, and the operators above it in order: of nothing
  /// that differs from run to run.
  static func of(_ kind: FindingKind, _ site: TraceSite, chain: [String]) -> String {
    hash([kind.rawValue, site.name, site.location] + chain)
  }

  /// The same without lines: instead, the how-manyth of its operator in its file it is.
  static func loose(
    _ kind: FindingKind,
    _ site: TraceSite,
    among sites: [TraceSite],
    chain: [String]
  ) -> String {
    let before = sites.count {
      $0.file == site.file && $0.name == site.name
        && ($0.line, $0.column) < (site.line, site.column)
    }
    let shape = chain.map { place in
      place.lastIndex(of: ":").map { String(place[..<$0]) } ?? place
    }
    return hash([kind.rawValue, site.name, site.file, "\(before)"] + shape)
  }

  private static func hash(_ parts: [String]) -> String {
    // FNV-1a, 64 bits; the separator cannot be part of a name that matters.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in parts.joined(separator: "\u{1F}").utf8 {
      hash ^= UInt64(byte)
      hash &*= 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
