public import TraceModel
public import TraceReading

/// Finds what is wrong, or likely to be, in a trace.
///
/// Each rule is a type that searches for one or a few kinds of findings
/// (``/TraceModel/FindingKind``) and writes their texts. The engine sorts the findings, and lowers
/// their levels if the trace is incomplete.
public enum FindingEngine {
  /// The findings at the end of a trace, worst first.
  ///
  /// The same snapshot always gives the same findings in the same order.
  ///
  /// - Parameters:
  ///   - snapshot: The trace to be judged.
  ///   - inspection: The inspection of the same snapshot, which provides the rows of the accused
  ///     sites and the instant up to which ages are computed. An empty inspection is sufficient.
  /// - Returns: The findings, worst first.
  /// - Complexity: O(sites × marks + slots), and O(records) if a rule needs them.
  public static func findings(in snapshot: TraceSnapshot, inspection: Inspection) -> [Finding] {
    let coverage = snapshot.eventCoverage
    guard !coverage.isComplete, coverage.hasAny else {
      let facts = FindingFacts(snapshot, now: inspection.instant.time)
      return inOrder(findings(in: snapshot, inspection, facts) { _ in true }, snapshot)
    }
    // Parts of the code may be recorded at a level of their own, which says whether their events
    // are recorded. Lines that are connected only with lines whose events are recorded are judged
    // as if all events were recorded, and the other lines as if none were.
    var followed = FollowedLines(snapshot, coverage)
    let found = [true, false].flatMap { hasEvents in
      let facts = FindingFacts(snapshot, now: inspection.instant.time, hasEvents: hasEvents)
      return findings(in: snapshot, inspection, facts) { followed.contains($0) == hasEvents }
    }
    return inOrder(found, snapshot)
  }

  private static func inOrder(_ findings: [Finding], _ snapshot: TraceSnapshot) -> [Finding] {
    var findings = findings
    Fingerprint.number(&findings, snapshot.sites)
    return findings.sorted(by: isWorse)
  }

  /// The findings that the facts support, unsorted.
  private static func findings(
    in snapshot: TraceSnapshot,
    _ inspection: Inspection,
    _ facts: FindingFacts,
    where isWanted: (FindingDraft) -> Bool
  ) -> [Finding] {
    let context = FindingContext(facts)
    var causes: [FindingDraft] = []
    var symptoms: [FindingDraft] = []
    for rule in FindingKind.rules {
      let drafts = rule.check(context)
      context.note(drafts)
      for draft in drafts {
        if draft.role == .cause { causes.append(draft) } else { symptoms.append(draft) }
      }
    }
    // A symptom that a known cause explains is not reported: the cause absorbs its evidence.
    symptoms.removeAll { symptom in
      let lines = symptom.explains.union([symptom.site])
      guard let place = causes.firstIndex(where: { !$0.explains.isDisjoint(with: lines) }) else {
        return false
      }
      causes[place].absorb(symptom)
      return true
    }
    symptoms = symptoms.oneOfEachLine
    // A line whose row in the table of sites is lost is not accused, because the row would hold the
    // evidence.
    let drafts = (symptoms + causes).filter { !facts.site($0.site).isLost && isWanted($0) }
    let names = drafts.contains { $0.subject != nil } ? facts.signalNames() : nil
    let calls = AccusedCalls(drafts, facts, inspection.callPaths ?? CallPaths(snapshot))
    let found = drafts.map { finding($0, facts, inspection, names) }
    let times = EvidenceTimes(of: found, facts)
    return found.indices.map { place in
      var made = found[place]
      made.evidence.read(times.moments(of: made.evidence))
      made.calls = calls.calls(ofDraft: place, at: drafts[place].site)
      return made
    }
  }

  private static func finding(
    _ draft: FindingDraft,
    _ facts: FindingFacts,
    _ inspection: Inspection,
    _ names: SignalNames?
  ) -> Finding {
    let site = facts.site(draft.site)
    var finding = Finding(
      kind: draft.kind,
      level: draft.level,
      site: inspection.site(draft.site) ?? SiteRow(draft.site, site),
      subject: draft.subject,
      summary: draft.summary,
      sentence: draft.sentence,
      remedy: draft.remedy,
      evidence: draft.evidence,
      fingerprint: Fingerprint.of(draft.kind, site, chain: draft.upstreamChain),
      weight: draft.rank.weight
    )
    finding.subjectKind = draft.subject.flatMap { facts.slot($0.id)?.kind } ?? .none
    if draft.isOfProgram, draft.site == 0 {
      // The finding accuses the whole program rather than a line.
      finding.name = facts.programName
      finding.location = "process \(facts.processID)"
    }
    finding.looseFingerprint = Fingerprint.loose(draft.kind, site, chain: draft.upstreamChain)
    facts.name(draft, in: &finding.evidence)
    if let subject = draft.subject, let name = names?.wholeName(of: facts.signal(of: subject)) {
      finding.sentence += " The signal is \(displayName(endOf: name, columns: 400))."
    }
    // If the trace has lost something, what is missing could refute a proof.
    if facts.loss == nil { finding.proof = draft.proof }
    finding.ruledOut = draft.ruledOut
    finding.explains = draft.explains
    finding.affected = draft.affected
    finding.descendants = draft.descendants
    finding.cap = draft.cap
    // A violation keeps its level: its own records show it, whatever else is missing.
    if finding.level == .leak, let loss = facts.loss {
      finding.level = .suspect
      finding.cap = "SUSPECT at most, as this trace is incomplete: \(loss)."
    } else if finding.cap == nil, finding.level < .leak, draft.restsOnRecords,
      let loss = facts.loss
    {
      finding.cap = "the figures are lower bounds, as this trace is incomplete: \(loss)."
    }
    finding.settling = Settling.text(of: finding, draft, facts)
    return finding
  }

  /// Orders findings by level, then by weight; further comparisons make the order deterministic.
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
  /// A row for a site that has none in the inspection.
  init(_ id: UInt32, _ site: TraceSite) {
    self.init()
    self.id = id
    name = site.name
    file = site.file
    line = site.line
    column = site.column
    traits = site.traits
    level = site.level
    location = site.location
    live = site.live
    subscribed = site.subscribed
  }
}
