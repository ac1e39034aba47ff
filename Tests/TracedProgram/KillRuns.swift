internal import CReactiveTraceShims
internal import Glibc
internal import ReactiveTrace

/// Kills programs at random moments, and checks which events their traces contain.
///
/// It is started with `kill-runs COUNT [SEED]`.
///
/// The kinds of runs alternate: ring or stream; one, eight or two thousand threads; killed early,
/// or after the ring has been filled three times.
struct KillRuns {
  private struct Run {
    var mode: String
    var threads: Int
    var isLate: Bool

    var name: String {
      "\(mode), \(threads) thread\(threads == 1 ? "" : "s")\(isLate ? ", after three wraps" : "")"
    }
  }

  private struct Sum {
    var runs = 0
    var acknowledged: UInt64 = 0
    var exact: UInt64 = 0
    var unacknowledged: UInt64 = 0
    var leastWraps = Double.infinity
    var tailSegments = 0
  }

  private static let runs: [Run] = [false, true].flatMap { isLate in
    [1, 8, 2000].flatMap { threads in
      ["ring", "stream"].map { Run(mode: $0, threads: threads, isLate: isLate) }
    }
  }

  /// The time in seconds within which a run must reach the moment at which it is killed.
  private static let timeLimit = 120.0

  private let directory: String
  private var random: SeededNumbers
  private var sums: [String: Sum] = [:]
  private var failures = 0

  init(seed: UInt64) {
    var template = Array("/dev/shm/rxtrace-kill-XXXXXX".utf8CString)
    if mkdtemp(&template) == nil {
      template = Array("/tmp/rxtrace-kill-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { fail("there is no room for traces") }
    }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    random = SeededNumbers(state: seed)
  }

  /// Makes this number of runs, and returns whether nothing was lost.
  mutating func run(_ count: Int) -> Bool {
    for index in 0..<count { run(index, Self.runs[index % Self.runs.count]) }
    rmdir(directory)
    say("")
    for run in Self.runs {
      guard let sum = sums[run.name] else { continue }
      say(
        "\(run.name): \(sum.runs) runs, \(sum.acknowledged) events acknowledged, \(sum.exact) of them in exact windows,"
          + " all there; \(sum.unacknowledged) more recorded; ring filled \(rounded(sum.leastWraps)) times at least"
          + (sum.tailSegments > 0 ? "; \(sum.tailSegments) segments in tails" : "")
      )
    }
    say("\(count) runs killed, \(failures) with a loss")
    return failures == 0
  }

  private mutating func run(_ index: Int, _ run: Run) {
    let trace = "\(directory)/\(index).rxtrace"
    let shared = "\(directory)/\(index).acknowledged"
    let file = Acknowledgements(path: shared, count: run.threads, isNew: true)
    defer {
      file.unmap()
      unlink(shared)
    }
    // The ring has 16 segments of 4092 records. A turn of n events takes n + 2 records, and n is 4
    // on average.
    let ring: UInt64 = 16 * 4092
    let least: UInt64 = run.isLate ? 3 * ring : 1
    let target = least + random.next(below: run.isLate ? ring : 5000)
    let child = ChildProcess(
      ["endless", "\(run.threads)", shared],
      environment: ["RXTRACE": "events,mode=\(run.mode),size=1M,file=\(trace)"]
    )
    let start = now()
    while file.total < target || run.isLate && !file.allHaveBegun {
      if let status = child.ended() {
        fail("run \(index) (\(run.name)) ended by itself with \(status)")
      }
      if now() - start > Self.timeLimit {
        child.kill()
        child.wait()
        fail(
          "run \(index) (\(run.name)) did not come to \(target) events within \(Int(Self.timeLimit)) s"
        )
      }
      sched_yield()
    }
    // This moves the kill to a random moment between two checks of the total.
    for _ in 0..<random.next(below: 20_000) { withExtendedLifetime(index) {} }
    child.kill()
    guard child.wait() == 128 + SIGKILL else { fail("run \(index) was not killed") }
    let found = KilledTrace(trace: trace, file)
    note(found, run)
    if found.losses.isEmpty {
      unlink(trace)
    } else {
      failures += 1
      say("run \(index) (\(run.name)), \(trace) is kept:")
      for loss in found.losses.prefix(10) { say("  \(loss)") }
    }
  }

  private mutating func note(_ found: KilledTrace, _ run: Run) {
    var sum = sums[run.name] ?? Sum()
    sum.runs += 1
    sum.acknowledged += found.acknowledged
    sum.exact += found.exact
    sum.unacknowledged += found.unacknowledged
    sum.leastWraps = min(sum.leastWraps, found.wraps)
    sum.tailSegments += found.tailSegments
    sums[run.name] = sum
  }

  private func now() -> Double { Double(rxt_monotonic_ns()) / 1e9 }

  private func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}

/// Random numbers that depend only on the seed (SplitMix64).
struct SeededNumbers {
  var state: UInt64

  mutating func next(below limit: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return (value ^ value >> 31) % limit
  }
}
