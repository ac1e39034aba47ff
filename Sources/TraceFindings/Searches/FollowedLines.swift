import TraceModel
import TraceReading

/// The lines of code that are followed completely: all events of such a line, and of all lines
/// connected with it, are recorded, so that the lack of a record means that there was no event.
///
/// Two lines are connected if a subscription or a signal of one line sends events to a subscription
/// or a signal of the other, directly or through further lines.
struct FollowedLines {
  /// A union-find forest: the parent of each line in the same connected set; a root is its own
  /// parent.
  private var parents: [Int]
  /// For the root of each set, whether the events of all lines of the set are recorded.
  private var isFollowed: [Bool]

  /// - Complexity: O(records + slots).
  init(_ snapshot: TraceSnapshot, _ coverage: EventCoverage) {
    parents = Array(snapshot.sites.indices)
    isFollowed = snapshot.sites.indices.map { coverage.contains(UInt32($0)) }
    guard !isFollowed.allSatisfy({ $0 }) else { return }
    let store = EntityStore(snapshot)
    for kind in [EntityKind.signal, .subscription, .timer] {
      for life in store.all(of: kind) {
        for other in [life.link, kind == .subscription ? life.signal : .none] where other != .none {
          if let other = store.life(other, at: life.firstRow) { connect(life.site, other.site) }
        }
      }
    }
    let living = Dictionary(snapshot.slots.map { ($0.id, $0.site) }) { $1 }
    for slot in snapshot.slots where slot.kind == .signal {
      for other in slot.moreUpstreams { living[other].map { connect(slot.site, $0) } }
    }
    for site in isFollowed.indices where !isFollowed[site] { isFollowed[root(of: site)] = false }
  }

  /// Whether all events of a line, and of all lines connected with it, are recorded.
  mutating func contains(_ site: UInt32) -> Bool {
    Int(site) < parents.count && isFollowed[root(of: Int(site))]
  }

  /// Whether all events of every line that a finding mentions are recorded.
  mutating func contains(_ draft: FindingDraft) -> Bool {
    guard contains(draft.site), draft.explains.allSatisfy({ contains($0) }) else { return false }
    return (draft.members + (draft.accused ?? [])).allSatisfy { contains($0.site) }
      && (draft.accusedRoots + draft.accusedStages).allSatisfy { contains($0.site) }
  }

  private mutating func connect(_ one: UInt32, _ other: UInt32) {
    guard Int(one) < parents.count, Int(other) < parents.count else { return }
    let (first, second) = (root(of: Int(one)), root(of: Int(other)))
    parents[second] = first
  }

  private mutating func root(of site: Int) -> Int {
    var here = site
    while parents[here] != here {
      parents[here] = parents[parents[here]]
      here = parents[here]
    }
    return here
  }
}
