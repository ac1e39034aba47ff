public import TraceReading

/// How sure a finding is.
///
/// Ordered: the worst is the greatest.
public enum FindingLevel: Int, Sendable, CaseIterable, Comparable {
  /// Worth knowing.
  case info = 0
  /// A heuristic speaks for it.
  case suspect = 1
  /// What the program itself declared, or every observation there is, speaks for it.
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

  /// Whether the left one is less sure.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What kind of thing was found.
///
/// The rule that finds it declares it, in module `TraceFindings`.
public struct FindingKind: Hashable, Sendable {
  /// Stands in exports and fingerprints, and never changes.
  public let rawValue: String
  /// A few words for tables and filters.
  public let title: String
  /// Whether it can be found only where single events were recorded.
  public let needsEvents: Bool
  /// Whether nothing is said of it where a trace lacks anything, for it needs to know everything.
  public let needsAll: Bool
  /// The kinds of records that its evidence may name.
  public let evidence: Set<RecordKind>
  /// Why one may be no fault all the same, or what no record can tell of it, in a sentence; nil for a kind that is never in doubt, but for what a
  /// trace has lost.
  public let doubt: String?
  /// What of a recording tells more of it.
  public let settledBy: Set<Settler>

  /// What a recording may have or lack.
  public enum Settler: Sendable {
    /// Marks of the program where its rounds end.
    case marks
    /// Who called the function that subscribes.
    case callers
    /// More time.
    case time
  }

  /// A kind; rules declare theirs with it.
  package init(
    _ rawValue: String,
    _ title: String,
    needsEvents: Bool = false,
    needsAll: Bool = false,
    evidence: Set<RecordKind> = [],
    doubt: String? = nil,
    settledBy: Set<Settler> = []
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

/// Something wrong, or likely to be, with what speaks for it.
public struct Finding: Sendable, Identifiable {
  /// What kind of thing it is.
  public var kind: FindingKind
  /// How sure it is.
  public var level: FindingLevel
  /// The accused line.
  public var site: UInt32
  /// `subscribe`, unfiltered, and `Panes.swift:41`.
  public var name: String
  /// `File.swift:88`.
  public var location: String
  /// The accused entity, where it is one.
  public var subject: EntityKey?
  /// A few words for a row of a table.
  public var summary: String
  /// One sentence that says what is wrong, with its figures.
  public var sentence: String
  /// What to do about it.
  public var remedy: String
  /// Why the level is lower than the facts alone would make it; nil if it is not.
  public var cap: String?
  /// What it rests on.
  public var evidence: Evidence
  /// The steps by which it follows from the trace alone, each from those before it; empty where it rests on figures and time.
  ///
  /// What is proved stays so from look to look: nothing that the program does later takes it back, but for an end of what is accused.
  public var proof: [String] = []
  /// What it might have been and is not, each with how that is known: `a retry: each began while the others ran`.
  public var ruledOut: [String] = []
  /// Why it is not sure, and what would settle it; nil at LEAK and above, and where it is proved.
  public var settling: String?
  /// Rows of the sites of which it says why they are as they are: nothing is found of these besides.
  package var explains: Set<UInt32> = []
  /// Subscriptions, also ended ones, to which nothing comes, or less than there is, because of it.
  package var affected: [EntityKey] = []
  /// The same for the same fault in another run: 16 hexadecimal digits.
  public var fingerprint: String
  /// The same, also where lines were added or removed above it.
  public var looseFingerprint = ""
  /// Whether it is news, as far as a `FindingBaseline` tells.
  public var standing = Standing.unknown
  /// What orders findings of one level and kind: greater is worse.
  public var weight: Double
  /// Operators upstream of it that grow along with it: shown as `+11 descendants`.
  public var descendants: Int = 0
  /// For whom the accused subscriptions were made, as far as stacks and symbols tell; nil where they do not.
  ///
  /// Looked up when it is asked for.
  public var callers: FindingCallers? {
    get { calls?.callers ?? givenCallers }
    set { (calls, givenCallers) = (nil, newValue) }
  }
  /// Why ``callers`` is nil though stacks were recorded, as where the program is not on this machine.
  public var callersProblem: String? { calls?.problem }
  package var calls: FindingCalls?
  private var givenCallers: FindingCallers?
  /// The caller to blame for what the line does: nearly all of the accused were made for it, and others are in order.
  public var blamedCaller: Caller? { callers?.blamed?.caller }

  /// What a `FindingBaseline` says of a finding.
  public enum Standing: Sendable, Equatable {
    /// Nothing: there is none.
    case unknown
    /// It was not there before.
    case new
    /// It was there before, at a lower level.
    case worse(FindingLevel)
    /// It was there before.
    case known
    /// It is allowed, for this reason.
    case allowed(String)
    /// It was allowed, by this line, until a day that is over.
    case expired(String)

    /// Whether it is to be looked at.
    public var counts: Bool {
      switch self {
      case .unknown, .new, .worse, .expired: true
      case .known, .allowed: false
      }
    }

    /// For badges: `NEW`, `WORSE`, `EXPIRED`; nil where nothing is to be said.
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

    /// Why it is allowed, or since when no more.
    public var reason: String? {
      switch self {
      case .allowed(let reason), .expired(let reason): reason
      case .worse(let level): "was \(level.label)"
      case .unknown, .new, .known: nil
      }
    }
  }

  /// The same for the same fault while a trace is looked at.
  public var id: String { "\(fingerprint)-\(subject?.serial ?? 0)" }

  /// A finding of which the rank and the cap are still to be set.
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
