public import TraceModel
import TraceReading

extension FindingKind {
  /// A failure reached the end of a chain, where nothing handles it.
  public static let unhandledError = FindingKind(
    "unhandled-error",
    "failure that nobody handles",
    evidence: [.failed],
    doubt: "Only the author of the code knows whether such a failure has to be reported."
  )
}

/// Failures that reached the end of a chain, where nothing handles them.
enum UnhandledErrors: FindingRule {
  static let kinds: [FindingKind] = [.unhandledError]

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let sites = facts.sites.indices.filter { row in
      facts.sites[row].traits.contains(.unhandled)
        && facts.sites[row].ended(.failed) > 0
    }
    guard !sites.isEmpty else { return [] }
    let failures = Failures(at: Set(sites.map { UInt32($0) }), facts)
    return sites.map { row in
      let site = facts.sites[row]
      let number = UInt32(row)
      let count = site.ended(.failed)
      let known = failures.bySite[number] ?? []
      let types = Set(known.map(\.type)).filter { !$0.isEmpty }.sorted()
      let origins = Set(known.compactMap { $0.origin.map { facts.site($0).place } }).sorted()
      let isWhole = UInt64(known.count) == count && !origins.isEmpty
      return FindingDraft(
        kind: .unhandledError,
        site: number,
        summary: "\(Words.count(count, "failure")) handled by nobody",
        sentence:
          "\(count) of \(site.subscribed) subscriptions made here ended with a failure that nothing handles"
          + (isWhole
            ? ": \(types.joined(separator: ", ")) from \(origins.joined(separator: ", "))."
            : ", according to the counters."),
        remedy:
          "Pass failed: to \(site.place), or handle the failure on its way: catch, retry, replaceFailure. "
          + "rxtop explain FILE error shows the way it took.",
        evidence: Evidence(
          events: known.flatMap(\.numbers).sorted(),
          counters: ["ended by a failure \(count)", "subscribed \(site.subscribed)"]
        ),
        accusedRoots: known.compactMap(\.root),
        affected: known.compactMap { $0.root?.key },
        cap: isWhole
          ? nil : "SUSPECT at most: the records of some of these failures are not in this trace.",
        rank: Rank(live: count),
        restsOnRecords: true
      )
    }
  }
}

/// The paths that failures took to the given sites.
private struct Failures {
  struct Path {
    var type: String
    /// The site where the failure first occurred.
    var origin: UInt32?
    var numbers: [UInt64]
    /// The root subscription that the failure ended.
    var root: AccusedRoot?
  }

  private(set) var bySite: [UInt32: [Path]] = [:]

  init(at sites: Set<UInt32>, _ facts: FindingFacts) {
    var site: [TraceID: UInt32] = [:]
    var downstream: [TraceID: TraceID] = [:]
    for slot in facts.slots where slot.kind == .subscription {
      site[slot.id] = slot.site
      downstream[slot.id] = slot.link
    }
    var roots: [TraceID: AccusedRoot] = [:]
    // Failures on their way, by the subscription that they reach next.
    var inTransit: [TraceID: Path] = [:]
    for record in facts.records {
      switch record.kind {
      case .subscribed:
        site[record.entity] = record.argument
        downstream[record.entity] = record.subscribing?.downstream
        roots[record.entity] = sites.contains(record.argument) ? AccusedRoot(record) : nil
      case .entityStatus:
        guard let status = record.status, status.kind == .subscription else { continue }
        site[record.entity] = record.argument
        downstream[record.entity] = status.link
      case .failed:
        let id = record.entity
        var path =
          inTransit.removeValue(forKey: id) ?? Path(type: "", origin: site[id], numbers: [])
        path.type = facts.failureName(record.argument)
        path.numbers.append(record.number)
        if let here = site[id], sites.contains(here) {
          path.root = roots[id]
          bySite[here, default: []].append(path)
        } else if let next = downstream[id], next != .none {
          inTransit[next] = path
        }
      default: break
      }
    }
  }
}
