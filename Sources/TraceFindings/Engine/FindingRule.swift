public import TraceModel
import TraceReading

/// A rule that finds one kind of fault, or a few kinds that are found together.
///
/// Rules do not refer to each other: a rule asks the context about the findings of earlier rules.
protocol FindingRule: SendableMetatype {
  /// The kinds that the rule finds.
  static var kinds: [FindingKind] { get }
  /// The findings in a trace, at most one for each line of code and kind.
  static func check(_ context: FindingContext) -> [FindingDraft]
}

extension FindingKind {
  /// All kinds, in the order of their rules.
  public static let allCases: [FindingKind] = rules.flatMap { $0.kinds }

  /// All rules, the more specific ones first: a rule ignores what an earlier rule explains, and a
  /// symptom is absorbed by the first cause that explains it.
  static let rules: [any FindingRule.Type] = [
    GrowthAtSite.self, DroppedDisposables.self, IdleTimers.self, LateEvents.self,
    OutlivedOwners.self, HeldOwners.self,
    SilentSubjects.self, SubscribedPerValue.self, ObserverLoops.self, InnerGrowth.self,
    CrowdedBags.self, Backlogs.self, Caches.self,
    Stalls.self, AbandonedQueues.self, UnhandledErrors.self, NeverStarted.self, WrongQueue.self,
    Reentrancy.self, CapturedThreads.self, OutlivedSources.self, EndlessExecutions.self,
    DisabledActions.self,
    FeedbackLoops.self, NothingPasses.self, EndedByFailure.self, CutShort.self, RetryStorms.self,
    DuplicatedWork.self, DisposedContainers.self, EndedSubjects.self, RepeatedWork.self,
    CancelledSiblings.self, CrowdRefusals.self, StuckFlags.self, LostValues.self,
    LostUpdates.self, SplitQueues.self,
    Residents.self, Recomputations.self, SelfWaits.self,
    OvertakenAnswers.self, OvertakenInputs.self, Glitches.self, HeldMainQueue.self,
    HeldQueues.self, Crashes.self,
  ]
}

/// The input of rules: the trace, and what has been found in it so far.
final class FindingContext {
  let facts: FindingFacts
  lazy var walk = UpstreamWalk(facts)
  /// The deliveries on each queue; nil if there are no records.
  lazy var deliveries: DeliveryScan? = facts.records.isEmpty ? nil : DeliveryScan(facts)

  /// What happened to each subscription; nil if there are no records, or the trace has lost
  /// something.
  lazy var histories: Histories? = facts.records.isEmpty ? nil : Histories(facts)

  /// What caused each event; nil if ``histories`` is nil.
  lazy var causes: CausalScan? = histories == nil ? nil : CausalScan(facts)

  /// The subscriptions made by handlers.
  lazy var handlerSubscriptions: [HandlerSubscriptions] = {
    let mayRepeat = facts.sites.contains { $0.traits.contains(.root) && $0.subscribed > 2 }
    guard mayRepeat, let histories, let causes, !causes.nestedCreations.isEmpty else { return [] }
    return HandlerSubscriptions.all(causes, histories, facts)
  }()

  /// The operators that need a value of each input and ended without one; nil if ``histories`` is
  /// nil.
  lazy var unserved: UnservedCombinations? = histories.map { UnservedCombinations($0, facts) }

  /// The values that operators held when they were ended; nil if ``histories`` is nil.
  lazy var heldValues: HeldValues? = histories.map { HeldValues($0, facts) }

  private var claims: Set<TraceID> = []
  private var subjects: Set<EntityKey> = []
  /// Lines about which nothing is known except that their subscriptions grow in number.
  private(set) var growing: Set<UInt32> = []
  private var sites: Set<UInt32> = []
  private var explained: Set<UInt32> = []

  init(_ facts: FindingFacts) { self.facts = facts }

  /// Whether an earlier finding claims an entity, so that later rules ignore it.
  func isClaimed(_ id: TraceID) -> Bool { claims.contains(id) }

  /// Whether an earlier finding accuses an entity.
  func isAccused(_ key: EntityKey) -> Bool { subjects.contains(key) }

  /// Whether an earlier finding accuses a line of code, at SUSPECT or above.
  func isAccused(_ site: UInt32) -> Bool { sites.contains(site) }

  /// Whether nothing is known about a line of code except that its subscriptions grow in number.
  func isGrowing(_ site: UInt32) -> Bool { growing.contains(site) }

  /// Whether an earlier finding of another line, at SUSPECT or above, explains what is found at a
  /// line.
  func isExplained(_ site: UInt32) -> Bool { explained.contains(site) }

  /// Remembers what a rule has found, for the rules after it.
  func note(_ drafts: [FindingDraft]) {
    for draft in drafts {
      claims.formUnion(draft.claims)
      if let subject = draft.subject { subjects.insert(subject) }
      if draft.level >= .suspect { explained.formUnion(draft.explains.subtracting([draft.site])) }
      if draft.level >= .suspect { sites.formUnion(draft.explains.union([draft.site])) }
      if draft.role == .growth { growing.formUnion(draft.explains.union([draft.site])) }
    }
  }
}
