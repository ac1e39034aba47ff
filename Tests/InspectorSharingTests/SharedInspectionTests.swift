import Dispatch
import Testing
import TraceExports
import TraceFindings
import TraceModel
import TraceReading

/// Threads that query the same inspection or timeline concurrently all get the same answers.
///
/// Values that are computed on first use are the only mutable state that threads share through the
/// model. These tests have a target of their own, so that a run with the thread sanitizer need not
/// compile the other tests of the inspector. The tests are serialized so that the threads of one do
/// not compete with those of another: the threads of a test have to run at the same time.
@Suite(.serialized) struct SharedInspectionTests {
  /// What each thread does first: counts the rows of all lists, in one order or the reverse; looks
  /// up single rows; reads the live subscriptions; or changes a copy.
  static let questions: [@Sendable (Inspection) -> Void] = [
    { _ = $0.subscriptions.count + $0.signals.count + $0.timers.count + $0.events.count },
    { _ = $0.events.count + $0.timers.count + $0.signals.count + $0.subscriptions.count },
    { inspection in
      for subject in inspection.events.prefix(99).compactMap(\.subject) {
        _ = inspection.subscription(subject)
        _ = inspection.signal(subject)
        _ = inspection.timer(subject)
      }
    },
    { _ = $0.liveSubscriptions },
    { inspection in
      var copy = inspection
      copy.subscriptions.removeAll()
      copy.signals.removeAll()
      copy.timers.removeAll()
      copy.events.removeAll()
    },
  ]

  @Test func everyThreadGetsTheSameRows() throws {
    let snapshot = try Self.snapshot()
    let expected = InspectionJSON.text(Inspection(snapshot: snapshot))
    for _ in 0..<Self.rounds {
      let shared = Inspection(snapshot: snapshot)
      let reported = Self.answers(from: Self.questions.count) { asker in
        Self.questions[asker](shared)
        return InspectionJSON.text(shared)
      }
      #expect(reported.count == Self.questions.count && reported.allSatisfy { $0 == expected })
    }
  }

  @Test func everyThreadStepsTheSameWay() throws {
    let snapshot = try Self.snapshot()
    let steps: [Step] = [.finding, .stall, .loss, .problem]
    let expected = Self.stops(Timeline(snapshot), steps)
    #expect(expected[.problem]?.isEmpty == false)
    for _ in 0..<Self.rounds {
      let shared = Timeline(snapshot)
      let found = Self.answers(from: 4) { asker in
        Self.stops(shared, Array(steps[asker...] + steps[..<asker]))
      }
      #expect(found.count == 4 && found.allSatisfy { $0 == expected })
    }
  }

  /// There are several rounds, because threads that start together may not overlap in each of them.
  private static let rounds = 20

  private static func snapshot() throws -> TraceSnapshot {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return try TraceReader(path: "/\(root)/traces/failure.rxtrace").snapshot()
  }

  /// The answers of `threads` threads that ask at the same time.
  private static func answers<Answer: Sendable>(
    from threads: Int,
    _ ask: @escaping @Sendable (Int) -> Answer
  ) -> [Answer] {
    // Each thread writes to its own element, because the thread sanitizer does not understand the
    // standard library's Mutex.
    nonisolated(unsafe) let answers =
      UnsafeMutableBufferPointer<Answer?>.allocate(capacity: threads)
    answers.initialize(repeating: nil)
    defer {
      answers.deinitialize()
      answers.deallocate()
    }
    let group = DispatchGroup()
    let gate = DispatchGroup()
    for _ in 0..<threads { gate.enter() }
    // Dispatch gives each serial queue a thread, even if all processors are busy.
    for asker in 0..<threads {
      DispatchQueue(label: "asker \(asker)").async(group: group) {
        gate.leave()
        gate.wait()
        answers[asker] = ask(asker)
      }
    }
    group.wait()
    return answers.compactMap(\.self)
  }

  /// The first ten positions at which each kind of step stops, going back from the end.
  private static func stops(_ timeline: Timeline, _ steps: [Step]) -> [Step: [Position]] {
    var found: [Step: [Position]] = [:]
    for step in steps {
      var position = timeline.position(before: .end, step)
      while let here = position, found[step, default: []].count < 10 {
        found[step, default: []].append(here)
        position = timeline.position(before: here, step)
      }
    }
    return found
  }
}
