import Reactive
import ReactiveTrace
public import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Runs `body` and records an issue for every site that left a subscription or a timer behind.
///
/// ```swift
/// assertNoLeaks {
///   let screen = Screen(feed)
///   screen.close()
/// }
/// ```
///
/// Subscriptions and timers that began while `body` ran must have ended when it returns, and their
/// closures must have been freed. In addition, every finding of `rxtop check` at SUSPECT and above
/// is recorded as an issue, in the same words, unless it existed before. Running `body` several
/// times also reveals what grows each time.
///
/// While `body` runs, the process is traced, and everything that happens in it counts: run such a
/// test where nothing else runs, for instance in an exit test (`#expect(processExitsWith:)`). The
/// recording is kept in the directory for traces, so that a leak can be inspected with `rxtop`.
///
/// - Parameters:
///   - rounds: How often `body` runs. With several rounds, a mark in the trace follows each round;
///     from 5 rounds on, what grows in each round is reported as growth.
///   - sourceLocation: Where leaks are reported.
///   - body: The code that must leave nothing behind.
/// - Returns: What `body` returned the last time.
public func assertNoLeaks<Result>(
  rounds: Int = 1,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) rethrows -> Result {
  let check = LeakCheck.begin(sourceLocation)
  for round in 1..<max(1, rounds) {
    _ = try body()
    Trace.mark("assertNoLeaks \(round)")
  }
  let result = try body()
  if rounds > 1 { Trace.mark("assertNoLeaks \(rounds)") }
  check?.report(sourceLocation)
  return result
}

/// The asynchronous form of ``assertNoLeaks(rounds:sourceLocation:_:)``.
///
/// Subscriptions and timers that began while `body` ran must have ended when it returns, even those
/// that tasks and other threads began: `body` must wait for their ends.
///
/// - Parameters:
///   - rounds: How often `body` runs.
///   - isolation: The actor on which `body` runs: by default, the caller's actor.
///   - sourceLocation: Where leaks are reported.
///   - body: The code that must leave nothing behind.
/// - Returns: What `body` returned the last time.
@_disfavoredOverload
public func assertNoLeaks<Result>(
  rounds: Int = 1,
  isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Result
) async rethrows -> Result {
  let check = LeakCheck.begin(sourceLocation)
  for round in 1..<max(1, rounds) {
    _ = try await body()
    Trace.mark("assertNoLeaks \(round)")
  }
  let result = try await body()
  if rounds > 1 { Trace.mark("assertNoLeaks \(rounds)") }
  check?.report(sourceLocation)
  return result
}

/// Finds subscriptions and timers that were created after a point in time and still exist.
private struct LeakCheck {
  private let recording: TestRecording
  private let lastSerial: UInt64

  /// Begins to trace; if the process cannot be traced, records an issue and returns nil.
  static func begin(_ sourceLocation: SourceLocation) -> LeakCheck? {
    do {
      return try LeakCheck()
    } catch {
      Issue.record("leaks cannot be looked for: \(error)", sourceLocation: sourceLocation)
      return nil
    }
  }

  /// Records an issue for each finding and each site that left something behind; attaches the
  /// recording if an issue was recorded.
  func report(_ sourceLocation: SourceLocation) {
    do {
      let leaks = try leaks()
      for leak in leaks { Issue.record(Comment(rawValue: leak), sourceLocation: sourceLocation) }
      if !leaks.isEmpty { recording.attach(sourceLocation) }
    } catch {
      Issue.record("leaks cannot be looked for: \(error)", sourceLocation: sourceLocation)
    }
  }

  /// Begins to trace the process, unless it is being traced already.
  private init() throws(TraceError) {
    recording = try TestRecording()
    lastSerial = try recording.snapshot().slots.map(\.serial).max() ?? 0
  }

  /// One sentence for each finding, and for each site without a finding that left something behind.
  private func leaks() throws(TraceError) -> [String] {
    let snapshot = try recording.snapshot()
    let findings = recording.findings(in: snapshot)
    let accused = Set(findings.map(\.site))
    return findings.map(\.reportText)
      + leftovers(snapshot).filter { !accused.contains($0.site) }
      .map(\.sentence)
  }

  /// The subscriptions and timers that were created since the beginning and still exist, by site,
  /// root operators first.
  private func leftovers(_ snapshot: TraceSnapshot) -> [(site: UInt32, sentence: String)] {
    var left: [UInt32: (active: Int, held: Int, kind: EntityKind)] = [:]
    for slot in snapshot.slots where slot.serial > lastSerial && slot.kind != .signal {
      guard slot.kind != .none, slot.kind != .owner else { continue }
      if slot.state == .ended {
        left[slot.site, default: (0, 0, slot.kind)].held += 1
      } else {
        left[slot.site, default: (0, 0, slot.kind)].active += 1
      }
    }
    return snapshot.sites.filter { left[$0.index] != nil }
      .sorted { $0.traits.contains(.root) && !$1.traits.contains(.root) }
      .compactMap { site in left[site.index].map { (site.index, sentence(site, $0)) } }
  }

  private func sentence(
    _ site: TraceSite,
    _ left: (active: Int, held: Int, kind: EntityKind)
  ) -> String {
    let file = site.file.split(separator: "/").last.map(String.init) ?? site.file
    let place = "\(site.name) @ \(file):\(site.line)"
    let noun = left.kind == .timer ? "timer" : "subscription"
    let counts = [
      left.active > 0 ? "\(left.active) still active" : nil,
      left.held > 0 ? "\(left.held) ended, but not freed" : nil,
    ]
    return "\(noun) left behind: \(place), \(counts.compactMap { $0 }.joined(separator: ", "))"
  }
}
