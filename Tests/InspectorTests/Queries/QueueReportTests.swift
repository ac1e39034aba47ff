import Testing
import TraceReading

@testable import InspectorUI
@testable import TraceModel

/// How events outside of scheduled work are counted.
@Suite struct QueueReportTests {
  /// The report about a subscription that was made on a scheduler of the given kind; its values are
  /// delivered on the main thread if `onMainThread` is true, otherwise on another thread.
  private func report(
    home kind: SchedulerKind,
    placed place: UInt32?,
    onMainThread: Bool = false
  ) -> QueueReport {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let worker = onMainThread ? 1 : trace.thread("worker")
    let main = trace.scheduler("main", .main)
    let home = kind == .main ? main : trace.scheduler("work", kind)
    let id = trace.subscribe(
      trace.site("subscribe", "Pane.swift", 3, .root),
      scheduler: home,
      thread: worker
    )
    for _ in 0..<4 {
      if let place { trace.write(.runsOn, TraceID(rawValue: place), thread: worker) }
      trace.write(.turnBegan, id, worker, thread: worker)
      trace.next(id, thread: worker)
      trace.write(.turnEnded, id, thread: worker)
    }
    trace.wait(.seconds(1))
    return QueueScan.report(upTo: .seconds(1), trace.finish())
  }

  private func sentence(_ report: QueueReport) -> String {
    let model = Model(size: Size(columns: 400, rows: 40), glyphs: .utf8, screen: .queues)
    return QueuesView.crossings(report, model, width: 400).map(\.text).joined(separator: "\n")
  }

  @Test func deliveriesOnTheMainQueueAreRecognised() {
    let found = report(home: .main, placed: 1)
    #expect((found.knownCount, found.unknownCount) == (4, 0))
    #expect(found.crossings.isEmpty)
    #expect(sentence(found).hasPrefix("Every event ran on the queue that its"))
    #expect(report(home: .main, placed: nil, onMainThread: true).knownCount == 4)
  }

  @Test func deliveriesOffTheMainQueueCount() throws {
    let found = report(home: .main, placed: 2)
    let crossing = try #require(found.crossings.first)
    #expect((crossing.home, crossing.other, crossing.events) == (1, 0, 4))
    #expect(
      sentence(found).contains("main ⇢ another queue  4 of 4 events, 100%"),
      "\(sentence(found))"
    )
    let back = try #require(report(home: .serialQueue, placed: 1).crossings.first)
    #expect((back.home, back.other, back.events) == (2, 1, 4))
  }

  @Test(
    arguments: [(SchedulerKind.main, nil), (.main, 7), (.serialQueue, 2)]
      as [(SchedulerKind, UInt32?)]
  )
  func unknownDeliveriesAreNotCounted(home: SchedulerKind, place: UInt32?) {
    let found = report(home: home, placed: place)
    #expect((found.knownCount, found.unknownCount) == (0, 4))
    #expect(found.crossings.isEmpty)
    #expect(sentence(found).hasPrefix("Whether 4 events ran on the queue"), "\(sentence(found))")
  }

  @Test func theLineThatTookMostOfTheTimeOfABusyQueueIsNamed() {
    let busy = Scene.sharedQueue([Double](repeating: 0.12, count: 12)).snapshot
    let found = sentence(QueueScan.report(upTo: .seconds(4), busy))
    #expect(found.contains("subscribe@Order.swift:9  100% of the time of worker"), "\(found)")
    let idle = Scene.sharedQueue([Double](repeating: 0.02, count: 12)).snapshot
    #expect(!sentence(QueueScan.report(upTo: .seconds(4), idle)).contains("of the time of"))
  }
}
