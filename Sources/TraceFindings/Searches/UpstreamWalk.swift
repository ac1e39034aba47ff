import TraceModel
import TraceReading

/// Follows subscriptions upstream, from a root to its sources.
///
/// The index is built at its first use, because most traces do not need it.
final class UpstreamWalk {
  private let facts: FindingFacts
  /// Live subscriptions by their downstream, in the order of creation.
  private lazy var upstreams = index()

  /// For each site, the oldest of its subscriptions that have upstream subscriptions.
  private lazy var oldestConnected: [UInt32: TraceSlot] = {
    var oldestConnected: [UInt32: TraceSlot] = [:]
    for slots in upstreams.values {
      guard let stage = facts.slot(slots[0].link), stage.isLiveSubscription else { continue }
      if oldestConnected[stage.site].map({ stage.serial < $0.serial }) ?? true {
        oldestConnected[stage.site] = stage
      }
    }
    return oldestConnected
  }()

  init(_ facts: FindingFacts) { self.facts = facts }

  private func index() -> [TraceID: [TraceSlot]] {
    var upstreams: [TraceID: [TraceSlot]] = [:]
    for slot in facts.slots where slot.isLiveSubscription && slot.link != .none {
      upstreams[slot.link, default: []].append(slot)
    }
    for id in upstreams.keys { upstreams[id]?.sort { $0.serial < $1.serial } }
    return upstreams
  }

  /// The upstream subscriptions of a live one, in the order of creation.
  func upstreams(of slot: TraceSlot) -> [TraceSlot] { upstreams[slot.id] ?? [] }

  /// The subscription furthest upstream on the only path; the last one before the path branches.
  func source(upstreamOf slot: TraceSlot) -> TraceSlot {
    var here = slot
    for _ in 0..<256 {
      let next = upstreams(of: here)
      guard next.count == 1 else { break }
      here = next[0]
    }
    return here
  }

  /// The upstream subscriptions with their roles.
  func inputs(of slot: TraceSlot) -> [(slot: TraceSlot, role: InputRole)] {
    let all = upstreams(of: slot)
    let signal = facts.slot(TraceID(rawValue: slot.signal))
    return Array(zip(all, InputRole.roles(of: all, at: facts.site(slot.site), in: signal)))
  }

  /// The sites of everything upstream of a subscription.
  func sites(upstreamOf slot: TraceSlot) -> Set<UInt32> {
    var sites: Set<UInt32> = []
    var left = [slot.id]
    var budget = 1 << 16
    while let id = left.popLast(), budget > 0 {
      for upstream in upstreams[id] ?? [] {
        sites.insert(upstream.site)
        left.append(upstream.id)
        budget -= 1
      }
    }
    return sites
  }

  /// The sites of the roots downstream of the given subscriptions.
  func roots(downstreamOf slots: [TraceSlot]) -> Set<UInt32> {
    Set(
      slots.prefix(1000).compactMap { slot in
        var here = slot
        var left = 512
        while left > 0, here.link != .none, let next = facts.slot(here.link),
          next.isLiveSubscription
        {
          here = next
          left -= 1
        }
        return here.site
      }
    )
  }

  // MARK: Operators upstream

  /// The operators upstream of the subscriptions of a site, in order.
  ///
  /// If the subscriptions have different operators upstream, the result is the first of these lists
  /// in lexicographic order, so that it does not depend on the order of the search. A new
  /// subscription of a running program is used only if there is no other, because it may not have
  /// made all its upstream subscriptions yet.
  func chain(upstreamOf site: UInt32) -> [String] {
    leastChain(upstreamOf: site, age: Self.beginning) ?? leastChain(upstreamOf: site, age: 0) ?? []
  }

  /// The number of seconds after which a subscription has made all upstream subscriptions that it
  /// makes when it begins.
  private static let beginning = 0.05

  private func leastChain(upstreamOf site: UInt32, age: Double) -> [String]? {
    var least: [String]?
    var left = 256
    for slot in facts.slots
    where slot.site == site && slot.isLiveSubscription && facts.age(slot.createdAt) >= age {
      var budget = 64
      let chain = chain(upstreamOf: slot, &budget)
      // On a line that shares a signal, the shared subscription has upstreams, while its
      // subscribers, which come and go, have none.
      if least.map({ $0.isEmpty || (!chain.isEmpty && chain.lexicographicallyPrecedes($0)) })
        ?? true
      {
        least = chain
      }
      left -= 1
      if left == 0 { break }
    }
    return least
  }

  /// The operators upstream of one subscription.
  ///
  /// The list ends before operators whose inner signals come and go.
  private func chain(upstreamOf slot: TraceSlot, _ budget: inout Int) -> [String] {
    guard budget > 0, !facts.site(slot.site).traits.contains(.merging) else { return [] }
    var branches: [[String]] = []
    for upstream in upstreams[slot.id] ?? [] {
      guard budget > 0 else { break }
      budget -= 1
      branches.append([facts.site(upstream.site).place] + chain(upstreamOf: upstream, &budget))
    }
    return branches.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
  }

  // MARK: Sources that never end

  /// A source upstream of `root` that never ends, if no operator on the path to it ends the stream;
  /// nil if there is none.
  func endlessSource(upstreamOf root: TraceSlot) -> TraceSite? {
    var budget = 512
    return source(upstreamOf: root, &budget)
  }

  private func source(upstreamOf slot: TraceSlot, _ budget: inout Int) -> TraceSite? {
    guard budget > 0 else { return nil }
    budget -= 1
    let site = facts.site(slot.site)
    if site.traits.contains(.bounding) { return nil }
    if site.isEndless { return site }
    let upstreamInputs = inputs(of: slot)
    guard !upstreamInputs.isEmpty else {
      return sourceOfSignal(slot) ?? sourceOfBranch(slot, &budget)
    }
    var found: TraceSite?
    // A trigger or a sampled input does not keep the stream alive.
    for (upstream, role) in upstreamInputs where ![.trigger, .sampled].contains(role) {
      let source = source(upstreamOf: upstream, &budget)
      // An operator that pairs its inputs ends with the first of them, so all of them have to be
      // endless.
      if site.traits.fate == .pairs, source == nil { return nil }
      found = found ?? source
    }
    return found
  }

  /// The source of a signal that an operator has split off, such as a group or a window.
  ///
  /// Such a signal ends with the operator's source, unless completed signals of the same line show
  /// that it may end earlier.
  private func sourceOfBranch(_ slot: TraceSlot, _ budget: inout Int) -> TraceSite? {
    let site = facts.site(slot.site)
    let signal = facts.slot(TraceID(rawValue: slot.signal))
    // The parts of an action or a command send what its executions send. The signal to which a
    // subscription of the same line leads is the condition that enables it.
    if let signal, case .part = facts.argument(of: signal) { return nil }
    let hasNoUpstreamSignal = signal.map { $0.link == .none } ?? true
    // An operator that keeps values or inner signals may outlive its source.
    guard hasNoUpstreamSignal, site.traits.fate == .unknown,
      site.ended(.completed) == 0,
      site.traits.isDisjoint(with: [.root, .hot, .source, .timer, .shares, .merging]),
      let connected = oldestConnected[slot.site], connected.signal != slot.signal
    else { return nil }
    return source(upstreamOf: connected, &budget)
  }

  /// The source of a signal at which the chain of subscriptions ends, such as a shared one, found
  /// by following the signals upstream.
  private func sourceOfSignal(_ slot: TraceSlot) -> TraceSite? {
    var signal = facts.slot(TraceID(rawValue: slot.signal))
    var left = 64
    while let here = signal, here.kind == .signal, left > 0 {
      let site = facts.site(here.site)
      if site.traits.contains(.bounding) || !here.moreUpstreams.isEmpty { return nil }
      if site.traits.contains(.endless) { return site }
      signal = here.link == .none ? nil : facts.slot(here.link)
      left -= 1
    }
    return nil
  }
}

extension TraceSite {
  /// Whether what is made at this line never ends by itself.
  ///
  /// A program may complete a subject; if it has done so at this line, it may do so again.
  var isEndless: Bool {
    guard traits.contains(.endless) else { return false }
    return !traits.contains(.subject) || (ended(.completed) == 0 && ended(.failed) == 0)
  }
}
