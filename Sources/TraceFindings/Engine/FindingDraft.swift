import TraceModel
import TraceReading

/// A finding of a rule, before the engine decides whether and how it is reported.
struct FindingDraft {
  var kind: FindingKind
  /// How certain the finding is, judged by its own evidence.
  var level = FindingLevel.suspect
  var site: UInt32
  /// The accused entity, if a single one is accused.
  var subject: EntityKey?
  /// A few words for a row of a table.
  var summary: String
  /// One sentence with the figures.
  var sentence: String
  /// What to change.
  var remedy: String
  var evidence: Evidence
  /// The entities, live at the end of the trace, from which the figures of the finding are
  /// computed.
  ///
  /// The evidence names their slots, which are their entries in the table of live entities, and the
  /// rows of their sites.
  var members: [TraceSlot] = []
  /// The accused among the members; nil if all of them are accused.
  var accused: [TraceSlot]?
  /// The accused root subscriptions, made by the program's own calls to `subscribe`, that no longer
  /// have a slot.
  var accusedRoots: [AccusedRoot] = []
  /// Subscriptions, including those of operators, whose callers are to blame if other subscriptions
  /// of the same line are healthy.
  ///
  /// If this list is empty, the callers of the root subscriptions to which the accused belong are
  /// compared instead. If ``accusedRoots`` is set as well, the callers of those roots are compared
  /// last.
  var accusedStages: [AccusedRoot] = []
  /// Subscriptions, including ended ones, that receive nothing or too few values because of this
  /// fault: `rxtop explain` mentions the finding when it is asked about one of them.
  var affected: [EntityKey] = []
  /// Rows of the marks that the finding compares.
  ///
  /// A mark is an instant for which the trace contains the live count of every site.
  var marks: [Int] = []
  /// What the finding lacks because records are missing, such as a higher level; nil if it lacks
  /// nothing.
  var cap: String?
  var rank = Rank()
  /// The number of operators upstream that grow only because this line does.
  var descendants = 0
  /// The operators upstream of the site, nearest first, each with its location; the fingerprint
  /// includes them.
  var upstreamChain: [String] = []
  /// Whether figures in the texts are counted from records, so that they are too low if records
  /// were lost.
  var restsOnRecords = false

  /// Whether the finding accuses the program as a whole rather than a line.
  var isOfProgram = false

  // MARK: Relations to other findings

  /// Sites at which this finding explains symptoms (``Role/symptom``).
  var explains: Set<UInt32> = []
  /// Entities that this finding explains, so that later rules ignore them.
  var claims: Set<TraceID> = []
  /// The relation of this draft to other drafts.
  var role = Role.cause

  /// The steps of a proof that the fault follows from the trace alone, whatever happens later;
  /// empty if the finding rests on figures and time.
  var proof: [String] = []

  /// Innocent explanations that the rule has checked and excluded, each with the reason, such as `a
  /// retry: each began while the others ran`.
  var ruledOut: [String] = []

  enum Role {
    /// The finding explains a fault.
    case cause
    /// The finding shows a fault without explaining it: if a cause is known, the cause is reported
    /// instead.
    case symptom
    /// A symptom that shows only that the subscriptions of a line grow in number.
    case growth
  }

  /// Adds what a symptom of the same fault has shown.
  mutating func absorb(_ other: FindingDraft) {
    if other.level == .leak, level < .leak {
      level = .leak
      sentence += " Their number only grows: \(other.summary)."
    }
    // Counters of another line would be mistaken for counters of this line.
    for counter in other.evidence.counters
    where other.site == site && !evidence.counters.contains(counter) {
      evidence.counters.append(counter)
    }
    // A draft that names the accused of its line is more precise than one that only counts
    // subscriptions of that line.
    if accused == nil || other.site != site, accused != nil || other.accused != nil {
      accused = (accused ?? members) + (other.accused ?? other.members)
    }
    members += other.members
    accusedRoots += other.accusedRoots
    affected += other.affected
    marks += other.marks
    // What was ruled out for another line says nothing about this line.
    if ruledOut.isEmpty, other.site == site { ruledOut = other.ruledOut }
  }
}

extension [FindingDraft] {
  /// The drafts, with those at SUSPECT or above merged into one for each line of code.
  var oneOfEachLine: [FindingDraft] {
    var places: [UInt32: Int] = [:]
    var merged: [FindingDraft] = []
    for draft in self {
      if let place = places[draft.site], draft.level >= .suspect, merged[place].level >= .suspect {
        merged[place].absorb(draft)
        merged[place].sentence += " \(draft.sentence)"
        // The later draft gives the reason, so its accused are taken.
        merged[place].accused = draft.accused ?? draft.members
      } else {
        places[draft.site] = merged.count
        merged.append(draft)
      }
    }
    return merged
  }

  /// For each line of code, the draft with the greatest ``Rank/live``, in the order of the lines.
  var worstOfEachLine: [FindingDraft] {
    var bySite: [UInt32: FindingDraft] = [:]
    for one in self where bySite[one.site].map({ $0.rank.live < one.rank.live }) ?? true {
      bySite[one.site] = one
    }
    return bySite.keys.sorted().compactMap { bySite[$0] }
  }
}

/// Orders the findings of one level: the first property that differs decides.
struct Rank {
  /// The growth of live subscriptions per round that the program declares, or per window of time.
  var growth = 0.0
  var live: UInt64 = 0
  /// Useless events or wakeups per second.
  var rate = 0.0
  /// The age in seconds.
  var age = 0.0

  /// The rank as one number: a greater number is worse.
  var weight: Double {
    let growth = min(max(growth, 0), 1e4) * 1e11
    let live = Double(min(live, 9_999_999)) * 1e4
    let rate = min(max(rate, 0), 99).rounded() * 1e2
    return growth + live + rate + min(max(age, 0) / 86_400, 99)
  }
}

/// Formats numbers, with and without nouns.
enum Words {
  /// A count and a noun, such as `1 timer` or `3 timers`.
  static func count(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// A number with one decimal at most, such as `2` or `2.5`.
  static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }

  /// Several numbers, such as `2, 4, 6`; only the first and the last ones of a long list.
  static func list(_ values: [some BinaryInteger]) -> String {
    guard values.count > 16 else { return values.map { "\($0)" }.joined(separator: ", ") }
    let first = values.prefix(4).map { "\($0)" }
    let last = values.suffix(10).map { "\($0)" }
    return (first + ["…"] + last).joined(separator: ", ")
  }
}
