import TraceModel
import TraceReading

/// What a rule has found, before it is decided what becomes of it.
struct FindingDraft {
  var kind: FindingKind
  /// How sure it is, as far as its own evidence goes.
  var level = FindingLevel.suspect
  var site: UInt32
  /// The accused entity, where it is one.
  var subject: EntityKey?
  /// A few words for a row of a table.
  var summary: String
  /// One sentence with the figures.
  var sentence: String
  /// What to do.
  var remedy: String
  var evidence: Evidence
  /// What lives, or lived on, of which its figures are; the rows of their sites tell the rest.
  var members: [TraceSlot] = []
  /// Those of the members that are accused, where not all of them are.
  var accused: [TraceSlot]?
  /// The program's own subscriptions that are accused and have no slot any more.
  var accusedRoots: [AccusedRoot] = []
  /// Subscriptions, of operators too, of which the callers are to blame if others of the same line are in order.
  ///
  /// Empty where those of the program's own are asked that these belong to. Where ``accusedRoots`` are told besides, these are asked last.
  var accusedStages: [AccusedRoot] = []
  /// Subscriptions, also ended ones, to which nothing comes, or less than there is, because of it: what `rxtop explain` tells it of.
  var affected: [EntityKey] = []
  /// Rows of the marks whose counts it compares.
  var marks: [Int] = []
  /// Why the level is lower than it could be with all records; nil if it is not.
  var cap: String?
  var rank = Rank()
  /// Operators upstream that go along with it.
  var descendants = 0
  /// The operators above the site, nearest first, each with its place: part of the fingerprint.
  var upstreamChain: [String] = []
  /// Whether figures in its words come from records, so that they are too low where some were lost.
  var restsOnRecords = false

  /// Whether the program as a whole is accused, where no line is.
  var isOfProgram = false

  // MARK: Beside other findings

  /// Sites of which this explains what is a ``Standing/symptom`` there.
  var explains: Set<UInt32> = []
  /// Entities that this accounts for: rules that come later leave them alone.
  var claims: Set<TraceID> = []
  /// What it is beside others.
  var standing = Standing.cause

  /// The steps by which it follows from the trace alone, whatever comes later; none where it rests on figures and time.
  var proof: [String] = []

  /// What it might have been and is not, each with how that is known, as the rule has looked at it: `a retry: each began while the others ran`.
  var ruledOut: [String] = []

  enum Standing {
    /// Says why something is so.
    case cause
    /// Says that something is so: where a cause is known, that is accused instead.
    case symptom
    /// The same, of a line whose subscriptions only become more.
    case growth
  }

  /// Takes over what a symptom has shown of the same fault.
  mutating func absorb(_ other: FindingDraft) {
    if other.level == .leak, level < .leak {
      level = .leak
      sentence += " They only become more: \(other.summary)."
    }
    // Those of another line would be taken for its own.
    for counter in other.evidence.counters
    where other.site == site && !evidence.counters.contains(counter) {
      evidence.counters.append(counter)
    }
    // Whoever says which of its line are accused knows better than what only counts those of the same line.
    if accused == nil || other.site != site, accused != nil || other.accused != nil {
      accused = (accused ?? members) + (other.accused ?? other.members)
    }
    members += other.members
    accusedRoots += other.accusedRoots
    affected += other.affected
    marks += other.marks
    // Of another line they say nothing of this one, and a proof is short.
    if ruledOut.isEmpty, other.site == site { ruledOut = other.ruledOut }
  }
}

extension [FindingDraft] {
  /// Of each line of code the first, with what the others have to say of it.
  var oneOfEachLine: [FindingDraft] {
    var places: [UInt32: Int] = [:]
    var merged: [FindingDraft] = []
    for draft in self {
      if let place = places[draft.site], draft.level >= .suspect, merged[place].level >= .suspect {
        merged[place].absorb(draft)
        merged[place].sentence += " \(draft.sentence)"
        // Those of which the reason is known.
        merged[place].accused = draft.accused ?? draft.members
      } else {
        places[draft.site] = merged.count
        merged.append(draft)
      }
    }
    return merged
  }

  /// Of each line of code the one with the most, in the order of the lines.
  var worstOfEachLine: [FindingDraft] {
    var bySite: [UInt32: FindingDraft] = [:]
    for one in self where bySite[one.site].map({ $0.rank.live < one.rank.live }) ?? true {
      bySite[one.site] = one
    }
    return bySite.keys.sorted().compactMap { bySite[$0] }
  }
}

/// What puts findings of one level in order: the first difference decides.
struct Rank {
  /// Live subscriptions more per round or window.
  var growth = 0.0
  var live: UInt64 = 0
  /// Useless events or wakeups per second.
  var rate = 0.0
  /// Seconds.
  var age = 0.0

  /// All in one number: greater is worse.
  var weight: Double {
    let growth = min(max(growth, 0), 1e4) * 1e11
    let live = Double(min(live, 9_999_999)) * 1e4
    let rate = min(max(rate, 0), 99).rounded() * 1e2
    return growth + live + rate + min(max(age, 0) / 86_400, 99)
  }
}

/// Numbers and nouns.
enum Words {
  /// `1 timer`, `3 timers`.
  static func count(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `2`, `2.5`.
  static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }

  /// `2, 4, 6`, of long lists both ends.
  static func list(_ values: [some BinaryInteger]) -> String {
    guard values.count > 16 else { return values.map { "\($0)" }.joined(separator: ", ") }
    let first = values.prefix(4).map { "\($0)" }
    let last = values.suffix(10).map { "\($0)" }
    return (first + ["…"] + last).joined(separator: ", ")
  }
}
