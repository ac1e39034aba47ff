import Testing
import TraceFindings
import TraceModel
import TraceReading

/// The replay of random lifetimes is compared with the truth, in a trace that is complete, wrapped,
/// or lacks a segment.
@Suite struct TimelinePropertyTests {
  static let seeds: [UInt64] = Array(1...5)

  @Test(arguments: seeds)
  func aWholeTraceIsReplayedCorrectlyInEveryDirection(seed: UInt64) throws {
    let lives = RandomLifetimes(seed: seed)
    var forward = Timeline(lives.snapshot)
    var sought = Timeline(lives.snapshot)
    var answers: [Facts] = []
    for (number, truth) in lives.truths {
      let facts = try self.facts(&forward, number)
      #expect(facts.isComplete)
      #expect(facts.contradictions(to: truth) == [], "at #\(number), seed \(seed)")
      answers.append(facts)
    }
    // States are sought in a random order, and by stepping backwards.
    var random = SeededGenerator(seed: seed)
    for row in lives.truths.indices.shuffled(using: &random) {
      let number = lives.truths[row].number
      let facts = try self.facts(&sought, number)
      #expect(facts == answers[row])
    }
    var backward = Timeline(lives.snapshot)
    for row in lives.truths.indices.reversed() {
      let number = lives.truths[row].number
      let facts = try self.facts(&backward, number)
      #expect(facts == answers[row])
    }
  }

  @Test(arguments: seeds)
  func aWrappedTraceNeverContradictsTheWhole(seed: UInt64) throws {
    let lives = RandomLifetimes(seed: seed)
    let last = lives.snapshot.header.generation
    for lost in [1, last / 2, last - 1] where lost > 0 {
      let wrapped = lives.snapshot.wrapped(after: lost)
      var exactCount = 0
      try check(wrapped, lives, "seed \(seed), generations up to \(lost) lost") { facts in
        if facts.isExact {
          exactCount += 1
          #expect(facts.live.values.allSatisfy { $0 != nil })
          #expect(facts.events.values.allSatisfy { $0 != nil })
        }
      }
      // The state at each remaining record is exact: only overwritten records are missing.
      let left = lives.truths.count { truth in
        wrapped.records.contains { $0.number == truth.number }
      }
      #expect(exactCount == left)
    }
  }

  @Test(arguments: seeds)
  func aTraceWithoutOneSegmentNeverContradictsTheWhole(seed: UInt64) throws {
    let lives = RandomLifetimes(seed: seed)
    // Each seed removes only a third of the segments, one at a time, because making an inspection
    // of each record takes long.
    for segment in lives.snapshot.segments where segment.epoch % 3 == seed % 3 {
      let damaged = lives.snapshot.without(epoch: segment.epoch)
      try check(damaged, lives, "seed \(seed), without segment \(segment.epoch)") { _ in }
    }
  }

  @Test(arguments: seeds)
  func theEndIsTheStateOfTheSlab(seed: UInt64) throws {
    let lives = RandomLifetimes(seed: seed)
    let truth = try #require(lives.truths.last?.facts)
    for snapshot in [
      lives.snapshot, lives.snapshot.wrapped(after: 2), lives.snapshot.without(epoch: 2),
    ] {
      let facts = Facts(Inspection(snapshot: snapshot))
      #expect(facts.contradictions(to: truth) == [])
      #expect(facts.isComplete)
    }
  }

  private func facts(_ timeline: inout Timeline, _ number: UInt64) throws -> Facts {
    let inspection = timeline.inspection(at: .event(number))
    return Facts(try #require(inspection))
  }

  private func check(
    _ snapshot: TraceSnapshot,
    _ lives: RandomLifetimes,
    _ comment: String,
    also: (Facts) -> Void
  ) throws {
    let numbers = Set(snapshot.records.map(\.number))
    var forward = Timeline(snapshot)
    var backward = Timeline(snapshot)
    var answers: [UInt64: Facts] = [:]
    for (number, truth) in lives.truths where numbers.contains(number) {
      let facts = try self.facts(&forward, number)
      #expect(facts.contradictions(to: truth) == [], "at #\(number), \(comment)")
      answers[number] = facts
      also(facts)
    }
    for (number, _) in lives.truths.reversed() where numbers.contains(number) {
      let facts = try self.facts(&backward, number)
      #expect(facts == answers[number])
    }
  }
}
