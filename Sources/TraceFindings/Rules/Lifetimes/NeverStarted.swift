public import TraceModel
import TraceReading

extension FindingKind {
  /// A signal that does work was made and never subscribed to.
  public static let neverStarted = FindingKind(
    "never-subscribed",
    "signal never subscribed to",
    needsAll: true,
    evidence: [.signalCreated, .signalReleased],
    doubt: "It may be kept in reserve, and subscribed to in other runs."
  )
}

/// Finds signals that were made and released without ever having been subscribed to, so that their
/// work never ran.
enum NeverStarted: FindingRule {
  static let kinds: [FindingKind] = [.neverStarted]

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let unused = facts.sites.indices.filter { row in
      let site = facts.sites[row]
      return site.subscribed == 0 && site.signalsCreated > 0
        && site.signalsReleased == site.signalsCreated
    }
    guard !unused.isEmpty, facts.isExact(since: facts.start) else { return [] }
    let creations = SignalCreations(facts)
    return unused.compactMap { row in
      let site = facts.sites[row]
      let number = UInt32(row)
      let made = creations.at(number)
      // The line is not accused if another signal was made from any of its signals.
      guard !made.isEmpty, made.count == Int(clamping: site.signalsCreated),
        made.allSatisfy({ !creations.isUsed($0) }),
        let source = creations.source(upstreamOf: made[0]),
        facts.site(source).traits.contains(.source)
      else { return nil }
      let from = source == number ? "" : ", beginning with \(facts.site(source).place),"
      return FindingDraft(
        kind: .neverStarted,
        level: .info,
        site: number,
        summary: "\(Words.count(site.signalsCreated, "signal")) made, none subscribed to",
        sentence:
          "\(Words.count(site.signalsCreated, "signal")) made here\(from) \(site.signalsCreated == 1 ? "was" : "were") "
          + "released without ever having been subscribed to: what is described there never happened.",
        remedy:
          "Subscribe to \(site.place): a signal is a description, and nothing runs before somebody does. "
          + "Nothing, if it was only kept in reserve.",
        evidence: Evidence(
          events: made.flatMap { creations.numbers($0) }.sorted(),
          counters: [
            "signals made \(site.signalsCreated)", "signals released \(site.signalsReleased)",
            "subscribed 0",
          ]
        ),
        rank: Rank(live: site.signalsCreated),
        restsOnRecords: true
      )
    }
  }
}

/// Which signals were made from which other signals.
private struct SignalCreations {
  private struct Creation {
    var site: UInt32
    var upstream: UInt64?
    var isUsed = false
    var numbers: [UInt64]
  }

  private var creations: [UInt64: Creation] = [:]
  private var bySite: [UInt32: [UInt64]] = [:]

  init(_ facts: FindingFacts) {
    var serials: [TraceID: UInt64] = [:]
    for record in facts.records {
      switch record.kind {
      case .signalCreated:
        guard let creation = record.signalCreation else { continue }
        let upstream = creation.upstream == .none ? nil : serials[creation.upstream]
        if let upstream { creations[upstream]?.isUsed = true }
        serials[record.entity] = creation.serial
        creations[creation.serial] = Creation(
          site: creation.site,
          upstream: upstream,
          numbers: [record.number]
        )
        bySite[creation.site, default: []].append(creation.serial)
      case .signalReleased:
        guard let serial = serials.removeValue(forKey: record.entity) else { continue }
        creations[serial]?.numbers.append(record.number)
      default: break
      }
    }
  }

  func at(_ site: UInt32) -> [UInt64] { bySite[site] ?? [] }
  func isUsed(_ serial: UInt64) -> Bool { creations[serial]?.isUsed ?? true }
  func numbers(_ serial: UInt64) -> [UInt64] { creations[serial]?.numbers ?? [] }

  /// The site of the source from which a signal was made, through any number of operators.
  func source(upstreamOf serial: UInt64) -> UInt32? {
    var here = serial
    var left = 512
    while left > 0, let creation = creations[here] {
      guard let upstream = creation.upstream else { return creation.site }
      here = upstream
      left -= 1
    }
    return nil
  }
}
