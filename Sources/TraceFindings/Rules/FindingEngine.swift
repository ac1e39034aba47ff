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
    let coverage = snapshot.eventCoverage
    guard !coverage.isComplete, coverage.hasAny else {
      let facts = FindingFacts(snapshot, now: inspection.instant.time)
      return inOrder(findings(in: snapshot, inspection, facts) { _ in true }, snapshot)
    }
    // Places have levels of their own. Lines that are connected with none without events are judged as where all are recorded, and the others as
    // where none is.
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

  /// What is found from some facts, in any order.
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
        if draft.standing == .cause { causes.append(draft) } else { symptoms.append(draft) }
      }
    }
    // A line of which it is known why it grows is accused of the reason.
    symptoms.removeAll { symptom in
      let lines = symptom.explains.union([symptom.site])
      guard let place = causes.firstIndex(where: { !$0.explains.isDisjoint(with: lines) }) else {
        return false
      }
      causes[place].absorb(symptom)
      return true
    }
    symptoms = symptoms.oneOfEachLine
    // What speaks against a line whose row is lost stands in that row.
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
    if draft.isOfProgram, draft.site == 0 {
      // No line is accused, the program as a whole is.
      finding.name = facts.programName
      finding.location = "process \(facts.processID)"
    }
    finding.looseFingerprint = Fingerprint.loose(draft.kind, site, chain: draft.upstreamChain)
    facts.name(draft, in: &finding.evidence)
    if let subject = draft.subject, let name = names?.wholeName(of: facts.signal(of: subject)) {
      finding.sentence += " The signal is \(displayName(endOf: name, columns: 400))."
    }
    // Where anything is lost, nothing follows.
    if facts.loss == nil { finding.proof = draft.proof }
    finding.ruledOut = draft.ruledOut
    finding.explains = draft.explains
    finding.affected = draft.affected
    finding.descendants = draft.descendants
    finding.cap = draft.cap
    // A broken rule is proven by its own records, whatever else is missing.
    if finding.level == .leak, let loss = facts.loss {
      finding.level = .suspect
      finding.cap = "SUSPECT at most, for this trace is incomplete: \(loss)."
    } else if finding.cap == nil, finding.level < .leak, draft.restsOnRecords,
      let loss = facts.loss
    {
      finding.cap = "the figures are lower bounds, for this trace is incomplete: \(loss)."
    }
    finding.settling = Settling.text(of: finding, draft, facts)
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
    level = site.level
    location = site.location
    live = site.live
    subscribed = site.subscribed
  }
}
