import Glibc
import TraceReading

/// Checks the answers of rxtop about a recording that has lost one or two pieces of 64 KiB.
struct HoleCampaign {
  let path: String
  let seed: UInt64
  /// The number of runs for each of four kinds: with one hole or two, anywhere in the file or in
  /// its tables.
  let runs: Int

  /// The totals of all runs.
  struct Result {
    var runs = 0
    var unreadable = 0
    var untouched = 0
    var kept = 0
    /// The number of runs with each kind of violation, and the first example.
    var violations: [HoleChecker.Violation: (count: Int, first: String)] = [:]
    /// For each region, the number of runs in which a hole hit it, and how many of these had a
    /// violation.
    var regions: [String: (runs: Int, bad: Int)] = [:]
    /// The number of runs with any violation.
    var bad = 0

    /// Of the answers that the holes cannot affect, the fraction that has not changed.
    var share: Double { untouched == 0 ? 1 : Double(kept) / Double(untouched) }
    /// Whether the result is good enough to pass.
    var isGood: Bool { bad == 0 && share >= 0.95 }
  }

  /// Makes all runs; if `wanted` is given, makes only that run, and reports each of its violations.
  func run(
    only wanted: Int? = nil,
    willRun: (Int) -> Void = { _ in },
    report: (String) -> Void
  ) throws -> Result {
    let copy = try Copy(of: path)
    defer { copy.close() }
    let place = copy.path
    let snapshot = try TraceReader(path: place).snapshot()
    let questions = HoleAnswers.Questions(snapshot)
    let parts = TraceParts(snapshot, byteCount: copy.byteCount)
    let checker = HoleChecker(whole: try HoleAnswers(place, questions))
    var result = Result()
    for part in 0..<(4 * runs) where wanted == nil || wanted == part {
      willRun(part)
      var generator = SeededGenerator(seed: seed, part: part)
      let count = 1 + part / runs % 2
      let target: TraceHoles.Target = part < 2 * runs ? .file : .tables
      let holes = TraceHoles(count: count, in: parts, target, &generator)
      holes.cut(copy.bytes)
      defer { holes.restore(copy.bytes, from: copy.original) }
      result.runs += 1
      let hit = parts.hit(by: holes)
      guard let left = try? HoleAnswers(place, questions) else {
        result.unreadable += 1
        continue
      }
      let verdict = checker.verdict(on: left, hit: hit)
      note(verdict, part, holes, hit, &result, wanted == nil ? { _ in } : report)
    }
    return result
  }

  private func note(
    _ verdict: HoleChecker.Verdict,
    _ part: Int,
    _ holes: TraceHoles,
    _ hit: Set<RegionKind?>,
    _ result: inout Result,
    _ report: (String) -> Void
  ) {
    result.untouched += verdict.untouched
    result.kept += verdict.kept
    if !verdict.violations.isEmpty { result.bad += 1 }
    let names = hit.isEmpty ? ["nothing"] : hit.map { $0.map { "\($0)" } ?? "header" }
    for name in names {
      let before = result.regions[name] ?? (0, 0)
      result.regions[name] = (before.runs + 1, before.bad + (verdict.violations.isEmpty ? 0 : 1))
    }
    let at = holes.ranges.map { "\($0.lowerBound)" }.joined(separator: " and ")
    report(
      "part \(part): \(holes.punchesHoles ? "holes" : "zeros") at \(at): \(names.sorted().joined(separator: ", "))"
    )
    if let capped = verdict.capped { report("  not touched, and not what it was: \(capped)") }
    for (violation, example) in verdict.violations {
      let first = "part \(part), \(names.sorted().joined(separator: ", ")): \(example)"
      let before = result.violations[violation] ?? (0, first)
      result.violations[violation] = (before.count + 1, before.first)
      report("  \(violation.rawValue): \(example)")
    }
  }
}

/// A writable copy of a recording, in a file without a name.
private struct Copy {
  let original: Int32
  let descriptor: Int32
  let byteCount: Int
  let bytes: UnsafeMutableRawPointer

  init(of path: String) throws {
    func failure() -> TraceError {
      TraceError(.system, "cannot be copied: \(String(cString: strerror(errno)))", path: path)
    }
    var name = Array("/tmp/rxtop-soak-XXXXXX".utf8CString)
    original = open(path, O_RDONLY | O_CLOEXEC)
    descriptor = mkstemp(&name)
    guard original >= 0, descriptor >= 0 else { throw failure() }
    unlink(name)
    byteCount = Int(lseek(original, 0, SEEK_END))
    guard ftruncate(descriptor, off_t(byteCount)) == 0,
      let bytes = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      bytes != MAP_FAILED
    else { throw failure() }
    self.bytes = bytes
    // Parts of the recording that were never used stay holes in the copy.
    var page = [UInt8](repeating: 0, count: 4096)
    for start in stride(from: 0, to: byteCount, by: page.count) {
      let count = pread(original, &page, page.count, off_t(start))
      guard count > 0 else { throw failure() }
      if page[..<count].contains(where: { $0 != 0 }) { memcpy(bytes + start, page, count) }
    }
  }

  var path: String { "/proc/self/fd/\(descriptor)" }

  func close() {
    munmap(bytes, byteCount)
    _ = (Glibc.close(descriptor), Glibc.close(original))
  }
}

extension HoleCampaign.Result {
  /// The result as lines of text for people.
  var lines: [String] {
    var lines = ["\(runs) runs, \(unreadable) that cannot be read, \(bad) with a violation"]
    for violation in HoleChecker.Violation.allCases {
      guard let found = violations[violation] else { continue }
      lines.append("  \(found.count) × \(violation.rawValue); first: \(found.first)")
    }
    for (name, region) in regions.sorted(by: { $0.key < $1.key }) {
      lines.append("  hit \(name): \(region.runs) runs, \(region.bad) with a violation")
    }
    lines.append(
      "  answers that the holes cannot touch: \(untouched), of which \((share * 100_000).rounded() / 1000) % are what they were"
    )
    return lines
  }
}
