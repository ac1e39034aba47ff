import Dispatch
import Testing
import TraceExports
import TraceFindings
import TraceModel
import TraceReading

/// One inspection and one timeline, asked by several threads, which all get the same.
///
/// What is made when it is first asked for is all that the model lets threads share. So these are the tests of it
/// that the thread sanitizer runs, in a target of their own, so that it need not compile the others. One after the
/// other, as each wants all its threads at once.
@Suite(.serialized) struct SharedInspectionTests {
  /// Ways to ask first: rows of every list, one row without the others, counts, or a copy that is changed.
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

  @Test func everyThreadIsToldTheSame() throws {
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

  /// Threads that meet once may miss each other.
  private static let rounds = 20

  private static func snapshot() throws -> TraceSnapshot {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return try TraceReader(path: "/\(root)/traces/failure.rxtrace").snapshot()
  }

  /// What so many threads say at once.
  private static func answers<Answer: Sendable>(
    from threads: Int,
    _ ask: @escaping @Sendable (Int) -> Answer
  ) -> [Answer] {
    // A place each, as the thread sanitizer does not know the standard library's Mutex.
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
    // A serial queue each: they get threads however busy the processors are.
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

  /// Where steps from the end to the beginning stop, ten of each kind at most.
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
