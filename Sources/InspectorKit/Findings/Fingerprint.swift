import ReactiveTrace

/// What a finding is recognised by in another run.
enum Fingerprint {
  /// A hash of the kind, the operator, its file and line, and the operators above it in order: of nothing
  /// that differs from run to run.
  static func of(_ kind: FindingKind, _ site: TraceSite, chain: [String]) -> String {
    let parts = [kind.rawValue, site.name, site.location] + chain
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
