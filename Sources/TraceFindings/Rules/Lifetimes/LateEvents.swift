public import TraceModel
import TraceReading

extension FindingKind {
  /// Events are sent to a subscription that has been disposed of.
  public static let eventAfterDispose = FindingKind(
    "event-after-dispose",
    "event after dispose",
    needsEvents: true,
    evidence: [.disposeRequested, .ended, .refused],
    doubt:
      "Another thread may have been about to send when the subscription ended: nothing shows that "
      + "the sender knew of the end."
  )
}

/// Subscriptions of one line to which values were sent after they had been disposed of, or had
/// ended.
///
/// Only sources are accused, because values are *sent* there. Further downstream, values are only
/// delivered: a thread inside a gate, which lets one thread at a time deliver events, delivers what
/// others had sent before the end, and a subject does not know which of its subscribers have ended.
/// Completions and failures are not reported either: they only close a source that no longer has a
/// subscriber.
struct LateEvents: FindingRule {
  static let kinds: [FindingKind] = [.eventAfterDispose]

  let site: UInt32
  let level: FindingLevel
  let cap: String?
  let subject: EntityKey?
  private let row: TraceSite
  private let events: [UInt64]
  /// The number of refused values that support the finding.
  private let values: Int
  /// The root subscriptions to which values were sent too late.
  private let roots: [AccusedRoot]

  // MARK: Search

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let sites = facts.sites.indices.filter {
      facts.sites[$0].refused > 0 && facts.sites[$0].traits.contains(.source)
    }
    guard !sites.isEmpty else { return [] }
    let lives = RefusingSubscriptions(facts)
    return sites.compactMap {
      LateEvents(
        UInt32($0),
        lives.of(UInt32($0)),
        facts.site(UInt32($0)),
        isWhole: facts.isExact(since: facts.start),
        facts
      )?.draft
    }
  }

  /// Nil unless a source is known to have sent a subscription more values than were already on
  /// their way.
  private init?(
    _ site: UInt32,
    _ lives: [RefusingSubscription],
    _ row: TraceSite,
    isWhole: Bool,
    _ facts: FindingFacts
  ) {
    self.site = site
    self.row = row
    let proven = lives.filter { !$0.sentKnowingly.isEmpty }
    let shown = proven.isEmpty ? lives.filter { !$0.sentContinuously.isEmpty } : proven
    guard !shown.isEmpty else { return nil }
    level = proven.isEmpty ? .suspect : .violation
    let late = shown.map { proven.isEmpty ? $0.sentContinuously : $0.sentKnowingly }
    values = late.reduce(0) { $0 + $1.count }
    events = (shown.flatMap(\.ends) + late.joined()).sorted()
    subject = shown.count == 1 ? shown[0].key : nil
    roots = facts.rootsBegun(with: Set(shown.map(\.key.serial)))
    if proven.isEmpty, shown.contains(where: { $0.ends.isEmpty }) {
      cap = "SUSPECT at most: no record in this trace shows the end before these events."
    } else if isWhole {
      cap = nil
    } else {
      cap =
        (proven.isEmpty ? "SUSPECT at most, and the" : "the")
        + " figures are lower bounds: not all records are in this trace."
    }
  }

  private var draft: FindingDraft {
    FindingDraft(
      kind: .eventAfterDispose,
      level: level,
      site: site,
      subject: subject,
      summary: summary,
      sentence: sentence,
      remedy: remedy,
      evidence: evidence,
      accusedRoots: roots,
      cap: cap,
      rank: rank
    )
  }

  // MARK: Texts

  var summary: String {
    level == .violation
      ? "\(Words.count(values, "value")) sent after the end, of which the sender knew"
      : "\(Words.count(values, "value")) sent after the end"
  }

  var sentence: String {
    level == .violation
      ? "\(Words.count(values, "value")) came here after the end, from the thread that had disposed "
        + "of the subscription and at the usual pace, or from work that was scheduled later: the "
        + "source goes on regardless."
      : "\(Words.count(values, "value")) came here after the end, one after the other on one thread: the "
        + "source may go on regardless, or it empties what had been queued before."
  }

  var remedy: String {
    "Let the source of \(row.place) stop: put what it has to cancel into the observer's "
      + "disposables, or check isDisposed before each value."
  }

  var evidence: Evidence {
    Evidence(
      events: events,
      counters: ["sent late \(values)", "refused \(row.refused)", "ended \(row.endedCount)"]
    )
  }

  var rank: Rank { Rank(live: row.refused) }
}
