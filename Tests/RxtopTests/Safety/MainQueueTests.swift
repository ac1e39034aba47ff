import Foundation
import Testing
import TraceReading

/// The records about the main queue when any thread may serve it.
@Suite(.enabled("traced-program was not built beside the tests", { Programs.traced != nil }))
struct MainQueueTests {
  private static let rounds = 30

  @Test(arguments: ["events,size=1M", "events,size=256K,mode=stream"])
  func distinguishesWorkOnTheMainQueueFromOtherWork(options: String) throws {
    let run = try TracedRun(["main-queue", "\(Self.rounds)"], in: Scratch(), options: options)
    #expect(run.hasSucceeded, "\(run.errorLines)")
    let trace = try run.trace()
    #expect(trace.problems == [])
    var turns = MainQueueTurns()
    var counts: [UInt32: [Bool?: Int]] = [:]
    for record in trace.records {
      turns.process(record)
      guard record.kind == .next,
        let slot = trace.slots.first(where: { $0.id == record.entity })
      else { continue }
      let line = trace.sites[Int(slot.site)].line
      counts[line, default: [:]][turns.isOnMainQueue(record.thread), default: 0] += 1
    }
    #expect(counts[1] == [true: 3 * Self.rounds])
    #expect(counts[2] == [false: 3 * Self.rounds])
    #expect(counts[3] == [true: Self.rounds, false: 3])
    // A thread's queue is recorded when it changes, not for each delivery.
    let reported = trace.records.count { $0.kind == .runsOn }
    #expect(reported < trace.records.count { $0.kind == .turnBegan })
  }

  @Test func workOffTheMainQueueIsFound() throws {
    let run = try TracedRun(["main-queue", "\(Self.rounds)"], in: Scratch())
    let path = try run.trace().path
    let outcome = try Programs.rxtop("check", path)
    let text = outcome.output
    #expect(text.contains("3 of 33 values were handled here on"), "\(text)")
    #expect(text.contains("MainQueue.swift:3"), "\(text)")
    #expect(!text.contains("MainQueue.swift:1") && !text.contains("MainQueue.swift:2"), "\(text)")
  }
}
