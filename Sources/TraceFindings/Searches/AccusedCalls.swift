import TraceModel
import TraceReading

/// A subscription that may be accused.
protocol Accusable {
  var key: EntityKey { get }
  var site: UInt32 { get }
  /// The chain, or asynchronous backtrace, of the call that made the subscription.
  var chain: UInt32 { get }
}

extension TraceSlot: Accusable {}
extension History: Accusable {}
extension CausalScan.Handled: Accusable {}

/// An accused subscription or timer, represented by the root subscription to which it belongs.
///
/// A root subscription is one that the program's own call to `subscribe` made.
struct AccusedRoot {
  var key: EntityKey
  var site: UInt32
  var chain: UInt32

  init(key: EntityKey, site: UInt32, chain: UInt32) {
    (self.key, self.site, self.chain) = (key, site, chain)
  }

  init(_ one: some Accusable) { self.init(key: one.key, site: one.site, chain: one.chain) }

  /// The root subscription whose creation a record shows; nil for other records, and for a
  /// subscription with a downstream.
  init?(_ record: TraceRecord) {
    guard record.kind == .subscribed, let creation = record.subscribing,
      creation.downstream == .none
    else { return nil }
    let key = EntityKey(id: record.entity, serial: creation.serial)
    self.init(key: key, site: creation.site, chain: creation.chain)
  }
}

/// Counts, for each finding, which callers made the accused subscriptions, and which made the other
/// subscriptions of the same lines.
///
/// Callers are kept as return addresses, because their names are looked up when a finding is shown.
struct AccusedCalls {
  private let facts: FindingFacts
  private let paths: CallPaths
  /// The accused subscriptions of each draft.
  private let accused: [[AccusedRoot]]
  /// The live subscriptions of the accused lines.
  private var living: [UInt32: [AccusedRoot]] = [:]
  /// The number of ended subscriptions, by line and chain.
  private var ended: [UInt32: [UInt32: Int]] = [:]
  private let stacks: [[UInt64]]
  private let makers: SignalMakers
  /// For each draft, the subscriptions of operators that it accuses.
  private let stages: [[AccusedRoot]]
  /// The indices of the drafts that name the subscriptions whose callers are compared
  /// (``FindingDraft/accusedStages``).
  private let ofStages: Set<Int>

  /// - Complexity: O(slots), and O(records) if a finding accuses subscriptions.
  init(_ drafts: [FindingDraft], _ facts: FindingFacts, _ paths: CallPaths) {
    self.facts = facts
    self.paths = paths
    stages = drafts.map(\.accusedStages)
    ofStages = Set(drafts.indices.filter { !drafts[$0].accusedStages.isEmpty })
    accused = facts.hasCallers ? drafts.map { Self.roots(of: $0, facts) } : drafts.map { _ in [] }
    makers = SignalMakers(of: drafts.flatMap(\.accusedStages), facts)
    let sites = Set(accused.joined().map(\.site))
    // On lines of operators every subscription counts, not only root subscriptions.
    let lines = Set(drafts.flatMap { $0.accusedStages + $0.accusedRoots }.map(\.site))
    guard !sites.isEmpty else {
      stacks = []
      return
    }
    var alive: Set<UInt64> = Set(accused.joined().map(\.key.serial))
    for slot in facts.slots
    where slot.kind == .subscription && sites.contains(slot.site) {
      guard slot.link == .none || lines.contains(slot.site) else { continue }
      guard slot.state != .ended else { continue }
      alive.insert(slot.serial)
      living[slot.site, default: []].append(AccusedRoot(slot))
    }
    for record in facts.records where record.kind == .subscribed {
      guard sites.contains(record.argument), let creation = record.subscribing,
        creation.downstream == .none || lines.contains(creation.site),
        !alive.contains(creation.serial)
      else { continue }
      ended[creation.site, default: [:]][creation.chain, default: 0] += 1
    }
    var chains = Set(accused.joined().map(\.chain)).union(living.values.joined().map(\.chain))
    for counts in ended.values { chains.formUnion(counts.keys) }
    chains.formUnion(makers.allChains)
    stacks = chains.sorted().map { facts.call(of: $0, at: 0).stack }
  }

  /// The callers to compare for a draft that accuses a site; nil if none are known.
  func calls(ofDraft place: Int, at site: UInt32) -> FindingCalls? {
    let roots = accused[place]
    let isOfStages = ofStages.contains(place)
    var questions = questions(about: stages[place])
    guard roots.contains(where: { $0.chain != 0 }) || !questions.isEmpty else { return nil }
    // Subscriptions are counted by chain, because a hundred thousand may have only a few chains.
    var counts: [UInt64: FindingCalls.Count] = [:]
    func count(_ chain: UInt32, _ site: UInt32, _ change: (inout FindingCalls.Count) -> Void) {
      let key = Packing.pair(high: site, low: chain)
      change(&counts[key, default: FindingCalls.Count(facts.call(of: chain, at: site))])
    }
    for root in roots {
      count(root.chain, root.site) { count in
        count.accused += 1
        count.oldest = min(count.oldest ?? root.key, root.key)
      }
    }
    let accusedSerials = Set(roots.map(\.key.serial))
    for line in Set(roots.map(\.site)) {
      for root in living[line] ?? [] where !accusedSerials.contains(root.key.serial) {
        count(root.chain, line) { $0.others += 1 }
      }
      for (chain, number) in ended[line] ?? [:] { count(chain, line) { $0.ended += number } }
    }
    // Sorted, so that the order is the same each time.
    let known = counts.sorted { $0.key < $1.key }.map(\.value).filter { !$0.call.stack.isEmpty }
    let isOfLine =
      isOfStages ? Self.hasOthers(known) : roots.allSatisfy { $0.site == site }
    questions.append(question(known, of: roots, isOfLine: isOfLine))
    return FindingCalls(
      questions,
      isWhole: facts.isExact(since: facts.start),
      paths,
      alongside: stacks
    )
  }

  private func question(
    _ counts: [FindingCalls.Count],
    of roots: [AccusedRoot],
    isOfLine: Bool
  ) -> FindingCalls.Question {
    let unknown = roots.count - counts.reduce(0) { $0 + $1.accused }
    return FindingCalls.Question(counts, unknown: unknown, isOfLine: isOfLine)
  }

  /// Whether there are at least two other subscriptions: a single healthy one is not enough to
  /// blame a caller rather than the operator's own line.
  private static func hasOthers(_ counts: [FindingCalls.Count]) -> Bool {
    counts.reduce(0) { $0 + $1.others + $1.ended } >= 2
  }

  /// The calls by which the program applied the operators of the accused subscriptions: first the
  /// operator of the accused line, then the operators downstream of it, nearest first.
  private func questions(about roots: [AccusedRoot]) -> [FindingCalls.Question] {
    let accusedSerials = Set(roots.map(\.key.serial))
    let others = Set(roots.map(\.site)).sorted().flatMap { makers.known[$0] ?? [] }
      .filter { !accusedSerials.contains($0.key.serial) }
    guard others.count >= 2 else { return [] }
    let steps = roots.map { ($0, makers.steps(from: $0.key.id)) }
    let otherSteps = others.map { ($0.isAlive, makers.steps(from: $0.key.id)) }
    return (0..<SignalMakers.depth).compactMap { depth in
      var counts: [SignalMakers.Step: FindingCalls.Count] = [:]
      func count(_ steps: [SignalMakers.Step], _ change: (inout FindingCalls.Count) -> Void) {
        guard depth < steps.count, steps[depth].chain != 0 else { return }
        let step = steps[depth]
        change(
          &counts[step, default: FindingCalls.Count(facts.call(of: step.chain, at: step.site))]
        )
      }
      for (root, steps) in steps {
        count(steps) { count in
          count.accused += 1
          count.oldest = min(count.oldest ?? root.key, root.key)
        }
      }
      guard !counts.isEmpty else { return nil }
      for (isAlive, steps) in otherSteps {
        count(steps) { if isAlive { $0.others += 1 } else { $0.ended += 1 } }
      }
      let known = counts.sorted { ($0.key.site, $0.key.chain) < ($1.key.site, $1.key.chain) }
        .map(\.value).filter { !$0.call.stack.isEmpty }
      guard Self.hasOthers(known) else { return nil }
      return question(known, of: roots, isOfLine: true)
    }
  }

  /// The subscriptions whose callers are compared: the subscriptions that the draft names, or else
  /// the root subscriptions to which the accused belong, each once.
  private static func roots(of draft: FindingDraft, _ facts: FindingFacts) -> [AccusedRoot] {
    guard draft.accusedStages.isEmpty else {
      return draft.accusedRoots.isEmpty ? draft.accusedStages : draft.accusedRoots
    }
    var roots: [AccusedRoot] = []
    var seen: Set<UInt64> = []
    for root in draft.accusedRoots where seen.insert(root.key.serial).inserted {
      roots.append(root)
    }
    for slot in draft.accused ?? draft.members {
      guard let root = facts.root(downstreamOf: slot), seen.insert(root.serial).inserted else {
        continue
      }
      roots.append(AccusedRoot(root))
    }
    return roots
  }
}

extension FindingFacts {
  /// The root of a subscription or timer; nil if it is unknown.
  fileprivate func root(downstreamOf slot: TraceSlot) -> TraceSlot? {
    guard slot.kind == .subscription || slot.kind == .timer && slot.link != .none else {
      return nil
    }
    var here = slot
    var left = 512
    while here.link != .none {
      guard left > 0, let next = self.slot(here.link), next.kind == .subscription else {
        return nil
      }
      here = next
      left -= 1
    }
    return here
  }

  /// The root subscriptions that began together with the given stages, according to the records.
  ///
  /// - Complexity: O(records).
  func rootsBegun(with serials: Set<UInt64>) -> [AccusedRoot] {
    guard hasCallers else { return [] }
    // The stages of a root subscription begin after it, in the same call and with the same chain.
    var latest: [UInt32: AccusedRoot] = [:]
    var found: [AccusedRoot] = []
    for record in records where record.kind == .subscribed {
      guard let creation = record.subscribing, creation.chain != 0 else { continue }
      if let root = AccusedRoot(record) { latest[creation.chain] = root }
      if serials.contains(creation.serial), let root = latest[creation.chain] { found.append(root) }
    }
    return found
  }
}
