import TraceModel
import TraceReading

/// What a kind of finding has to say, as a plain value: for kinds whose words need no more than their figures.
struct Suspicion: Accusation {
  var kind: FindingKind
  var level = FindingLevel.suspect
  var site: UInt32
  var subject: EntityKey?
  var summary: String
  var sentence: String
  var remedy: String
  var evidence: Evidence
  var members: [TraceSlot] = []
  var marks: [Int] = []
  var cap: String?
  var rank = Rank()
  var upstreamChain: [String] = []
  /// Sites that grow, or whose disposables are dropped, because of this: not accused by themselves.
  var explains: Set<UInt32> = []
  /// Whether its figures come from records, so that they are too low where some were lost.
  var restsOnRecords = false

  var descendants: Int { 0 }

  /// Takes over what another finding has shown of the same fault.
  mutating func absorb(_ other: some Accusation) {
    if other.level == .leak, level < .leak {
      level = .leak
      sentence += " They only become more: \(other.summary)."
    }
    for counter in other.evidence.counters where !evidence.counters.contains(counter) {
      evidence.counters.append(counter)
    }
    members += other.members
    marks += other.marks
  }
}
