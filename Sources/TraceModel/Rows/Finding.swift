public import TraceReading

/// How certain a finding is.
///
/// Levels are ordered: the worst is the greatest.
public enum FindingLevel: Int, Sendable, CaseIterable, Comparable {
  /// Worth knowing.
  case info = 0
  /// A heuristic supports it.
  case suspect = 1
  /// A declaration of the program itself, or every available observation, supports it.
  case leak = 2
  /// A rule of the event contract is broken, or the program crashed: no doubt remains.
  case violation = 3

  /// `VIOLATION`, `LEAK`, `SUSPECT`, `INFO`.
  public var label: String {
    switch self {
    case .info: "INFO"
    case .suspect: "SUSPECT"
    case .leak: "LEAK"
    case .violation: "VIOLATION"
    }
  }

  /// Whether the left level is less certain.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What kind of thing was found.
///
/// The rule that finds it declares its kind, in module `TraceFindings`.
public struct FindingKind: Hashable, Sendable {
  /// The name in exports and fingerprints, which never changes.
  public let rawValue: String
  /// A few words for tables and filters.
  public let title: String
  /// Whether it can be found only if individual events were recorded.
  public let needsEvents: Bool
  /// Whether the rule needs complete data, and reports nothing if the trace lacks anything.
  public let needsAll: Bool
  /// The kinds of records that its evidence may name.
  public let evidence: Set<RecordKind>
  /// A sentence that says why such a finding may not be a fault after all, or what no record can
  /// show about it; nil if a complete trace leaves no doubt about such findings.
  public let doubt: String?
  /// What a recording needs to settle the doubt.
  public let settledBy: Set<Requirement>

  /// Something that a recording may have or lack.
  public enum Requirement: Sendable {
    /// Marks that the program sets at the end of each round of its work.
    case marks
    /// The callers of the function that subscribes.
    case callers
    /// A longer recording.
    case time
  }

  /// A kind, as rules declare it.
  package init(
    _ rawValue: String,
    _ title: String,
    needsEvents: Bool = false,
    needsAll: Bool = false,
    evidence: Set<RecordKind> = [],
    doubt: String? = nil,
    settledBy: Set<Requirement> = []
  ) {
    self.rawValue = rawValue
    self.title = title
    self.needsEvents = needsEvents
    self.needsAll = needsAll
    self.evidence = evidence
    self.doubt = doubt
    self.settledBy = settledBy
  }
}

/// Something wrong, or likely to be wrong, with its evidence.
public struct Finding: Sendable, Identifiable {
  /// What kind of finding it is.
  public var kind: FindingKind
  /// How certain it is.
  public var level: FindingLevel
  /// The accused line.
  public var site: UInt32
  /// The operator of the accused line, such as `subscribe`, as recorded.
  public var name: String
  /// `File.swift:88`.
  public var location: String
  /// The accused entity, if a single one is accused.
  public var subject: EntityKey?
  /// What kind of entity ``subject`` is.
  package var subjectKind = EntityKind.none
  /// A few words for a row of a table.
  public var summary: String
  /// One sentence that says what is wrong, with its figures.
  public var sentence: String
  /// Advice on how to fix it.
  public var remedy: String
  /// Why the level is lower than the facts alone would make it; nil if it is not.
  public var cap: String?
  /// The records and figures that it rests on.
  public var evidence: Evidence
  /// The steps of a proof from the trace alone, each of which follows from the ones before it;
  /// empty if the finding rests on figures and times.
  ///
  /// A proof remains valid from one inspection to the next: nothing that the program does later
  /// invalidates it, unless the accused entity ends.
  public var proof: [String] = []
  /// Innocent explanations that were excluded, each with the reason: `a retry: each began while the
  /// others ran`.
  public var ruledOut: [String] = []
  /// Why the finding is not certain, and what would settle the question; nil at LEAK and above, and
  /// if the finding is proved.
  public var settling: String?
  /// Rows of the sites whose symptoms it explains, so that these are not reported separately.
  package var explains: Set<UInt32> = []
  /// Subscriptions, including ended ones, that receive no values, or not all of them, because of
  /// the fault.
  package var affected: [EntityKey] = []
  /// Identifies the fault in all runs, by 16 hexadecimal digits.
  public var fingerprint: String
  /// Identifies the fault even if lines were added or removed above it.
  public var looseFingerprint = ""
  /// Whether it is new, known or allowed, according to a `FindingBaseline`: a list of findings that
  /// are known from earlier runs or are allowed.
  public var baselineStatus = BaselineStatus.unknown
  /// Orders the findings of the same level: a greater weight is worse.
  public var weight: Double
  /// The number of operators upstream of it that grow along with it: shown as `+11 descendants`.
  public var descendants: Int = 0
  /// The callers for which the accused subscriptions were made, as far as stacks and symbols show;
  /// nil if they do not.
  ///
  /// Looked up on access.
  public var callers: FindingCallers? {
    get { calls?.callers ?? givenCallers }
    set { (calls, givenCallers) = (nil, newValue) }
  }
  /// Why ``callers`` is nil although stacks were recorded, for example because the program is not
  /// on this machine.
  public var callersProblem: String? { calls?.problem }
  package var calls: FindingCalls?
  private var givenCallers: FindingCallers?
  /// The caller to blame for what the line does: nearly all of the accused subscriptions were made
  /// for it, and those of other callers are healthy.
  public var blamedCaller: Caller? { callers?.blamed?.caller }

  /// The status of a finding according to a `FindingBaseline`.
  public enum BaselineStatus: Sendable, Equatable {
    /// There is no baseline.
    case unknown
    /// The baseline does not contain it.
    case new
    /// The baseline contains it at a lower level.
    case worse(FindingLevel)
    /// The baseline contains it.
    case known
    /// It is allowed, for this reason.
    case allowed(String)
    /// It was allowed, by this line of the baseline, until a date that has passed.
    case expired(String)

    /// Whether it needs attention.
    public var counts: Bool {
      switch self {
      case .unknown, .new, .worse, .expired: true
      case .known, .allowed: false
      }
    }

    /// The text of a badge: `NEW`, `WORSE`, `EXPIRED`; nil if there is none.
    public var badge: String? {
      switch self {
      case .new: "NEW"
      case .worse: "WORSE"
      case .expired: "EXPIRED"
      case .unknown, .known, .allowed: nil
      }
    }

    /// For exports: `new`, `worse`, `known`, `allowed`, `expired`; nil without a baseline.
    public var label: String? {
      switch self {
      case .unknown: nil
      case .new: "new"
      case .worse: "worse"
      case .known: "known"
      case .allowed: "allowed"
      case .expired: "expired"
      }
    }

    /// The reason why it is allowed, the line and the date that had allowed it, or its previous
    /// level.
    public var reason: String? {
      switch self {
      case .allowed(let reason), .expired(let reason): reason
      case .worse(let level): "was \(level.label)"
      case .unknown, .new, .known: nil
      }
    }
  }

  /// Equal for the same fault while a trace is open.
  public var id: String { "\(fingerprint)-\(subject?.serial ?? 0)" }

  /// Creates a finding; properties without a parameter keep their default values.
  public init(
    kind: FindingKind,
    level: FindingLevel,
    site: SiteRow,
    subject: EntityKey? = nil,
    summary: String,
    sentence: String,
    remedy: String,
    evidence: Evidence,
    fingerprint: String,
    weight: Double
  ) {
    self.kind = kind
    self.level = level
    self.site = site.id
    self.name = site.name
    self.location = site.location
    self.subject = subject
    self.summary = summary
    self.sentence = sentence
    self.remedy = remedy
    self.evidence = evidence
    self.fingerprint = fingerprint
    self.weight = weight
  }
}
