public import TraceModel
public import TraceReading

/// Looks for what is wrong, or likely to be, in what a trace says.
///
/// One type per kind (``/TraceModel/FindingKind``) does the looking and the wording; this puts their results in order
/// and holds them back where the trace is incomplete.
public enum FindingEngine {
  /// What is wrong at the end of a trace, worst first.
  ///
  /// The same snapshot always gives the same findings in the same order.
  ///
  /// - Parameters:
  ///   - snapshot: What is judged.
  ///   - inspection: Of the same snapshot; gives the rows of the accused sites and the time that ages
  ///     count to. An empty one will do.
  /// - Returns: The findings in the order in which they are to be read.
  /// - Complexity: O(sites × marks + slots), and O(records) where something is found to be shown by them.
  public static func findings(in snapshot: TraceSnapshot, inspection: Inspection) -> [Finding] {
    let facts = FindingFacts(snapshot, now: inspection.instant.time)
    let growth = GrowthAtSite.check(facts)
    let dropped = DroppedDisposables.check(facts, growing: Set(growth.map(\.site)))
    var causes = self.causes(facts)
    // A line that is known to grow for a reason is accused of the reason.
    var found: [Finding] = []
    for one in growth where !absorb(one, &causes) { found.append(finding(one, facts, inspection)) }
    for one in dropped where !absorb(one, &causes) { found.append(finding(one, facts, inspection)) }
    found += IdleTimers.check(facts).map { finding($0, facts, inspection) }
    found += LateEvents.check(facts).map { finding($0, facts, inspection) }
    found += causes.map { finding($0, facts, inspection) }
    found += Crashes.check(facts).map { finding($0, facts, inspection) }
    return found.sorted(by: isWorse)
  }

  /// What the kinds find that know why something grows or does not move, the more telling ones first.
  private static func causes(_ facts: FindingFacts) -> [Suspicion] {
    let walk = UpstreamWalk(facts)
    var causes = OutlivedOwners.check(facts, walk)
    let silent = SilentSubjects.check(facts, walk)
    let loops = ObserverLoops.check(facts, walk, except: silent.signals)
    causes += silent.suspicions + loops.suspicions
    causes += InnerGrowth.check(facts, walk)
    causes += CrowdedBags.check(facts, walk, except: loops.members)
    causes += Backlogs.check(facts, walk) + Caches.check(facts, walk)
    causes += Stalls.check(facts, walk, except: Set(causes.compactMap(\.subject)))
    causes += UnhandledErrors.check(facts, walk) + NeverStarted.check(facts)
    guard !facts.records.isEmpty else { return causes }
    let scan = DeliveryScan(facts)
    causes += OddQueues.check(facts, scan, walk) + Reentrancy.check(facts, scan)
    return causes + CapturedThreads.check(facts, scan, walk)
  }

  /// Hands a finding to the one that explains it, if there is one.
  private static func absorb(_ one: some Accusation, _ causes: inout [Suspicion]) -> Bool {
    guard let place = causes.firstIndex(where: { $0.explains.contains(one.site) }) else {
      return false
    }
    causes[place].absorb(one)
    return true
  }

  private static func finding(
    _ accusation: some Accusation,
    _ facts: FindingFacts,
    _ inspection: Inspection
  ) -> Finding {
    let site = facts.site(accusation.site)
    var finding = Finding(
      kind: accusation.kind,
      level: accusation.level,
      site: inspection.site(accusation.site) ?? SiteRow(accusation.site, site),
      subject: accusation.subject,
      summary: accusation.summary,
      sentence: accusation.sentence,
      remedy: accusation.remedy,
      evidence: accusation.evidence,
      fingerprint: Fingerprint.of(accusation.kind, site, chain: accusation.upstreamChain),
      weight: accusation.rank.weight
    )
    if accusation.site == 0, [.crash, .died].contains(accusation.kind) {
      // No line is accused, the program as a whole is.
      finding.name = facts.programName
      finding.location = "process \(facts.processID)"
    }
    finding.looseFingerprint = Fingerprint.loose(
      accusation.kind,
      site,
      among: facts.sites,
      chain: accusation.upstreamChain
    )
    facts.name(accusation, in: &finding.evidence)
    finding.descendants = accusation.descendants
    finding.cap = accusation.cap
    // A broken rule is proven by its own records, whatever else is missing.
    if finding.level == .leak, let loss = facts.loss {
      finding.level = .suspect
      finding.cap = "SUSPECT at most, for this trace is incomplete: \(loss)."
    } else if finding.cap == nil, finding.level < .leak, accusation.restsOnRecords,
      let loss = facts.loss
    {
      finding.cap = "the figures are lower bounds, for this trace is incomplete: \(loss)."
    }
    return finding
  }

  /// The order of the list: level, then weight; the rest makes it the same every time.
  private static func isWorse(_ left: Finding, _ right: Finding) -> Bool {
    if left.level != right.level { return left.level > right.level }
    if left.weight != right.weight { return left.weight > right.weight }
    if left.kind != right.kind { return order(left.kind) < order(right.kind) }
    if left.location != right.location { return left.location < right.location }
    return (left.site, left.subject?.serial ?? 0) < (right.site, right.subject?.serial ?? 0)
  }

  private static func order(_ kind: FindingKind) -> Int {
    FindingKind.allCases.firstIndex(of: kind) ?? 0
  }
}

extension SiteRow {
  /// The row of a site of which there is none yet.
  init(_ id: UInt32, _ site: TraceSite) {
    self.init()
    self.id = id
    name = site.name
    file = site.file
    line = site.line
    column = site.column
    traits = site.traits
    location = site.location
    live = site.live
    subscribed = site.subscribed
  }
}
