@testable import InspectorUI
import Testing
@testable import TraceModel
import TraceReading

/// What is said of a recording at level `graph`, which has single events only of its startup.
@Suite struct EventStretchesTests {
  /// A subscription with an event each tenth of a second for two seconds; if `isGraph` is true, the
  /// level falls to `graph` after half a second.
  private func trace(isGraph: Bool) -> TraceSnapshot {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    _ = trace.scheduler("main", .main)
    let id = trace.subscribe(trace.site("subscribe", "Pane.swift", 3, .root), scheduler: 1)
    for step in 1...20 {
      trace.wait(.milliseconds(100))
      if step <= 5 || !isGraph { trace.next(id) }
      if step == 5, isGraph {
        trace.write(.levelChanged, TraceID(rawValue: TraceLevel.graph.rawValue), thread: 1)
      }
    }
    var snapshot = trace.finish()
    if isGraph { snapshot.header.level = .graph }
    return snapshot
  }

  private func header(_ snapshot: TraceSnapshot) -> String {
    BatchText(screen: .sites, filter: "", columns: 160, glyphs: .utf8, palette: nil)
      .render(Inspection(snapshot: snapshot))
  }

  @Test func theHeaderSaysWhatIsThere() {
    let graph = header(trace(isGraph: true))
    #expect(
      graph.contains(
        "lifetimes of the last 2.0 s are there, single events only of the first 500 ms"
      ),
      "\(graph)"
    )
    #expect(!graph.contains("every event"))
    let events = header(trace(isGraph: false))
    #expect(events.contains("every event of the last 2.0 s is there\n"), "\(events)")
  }

  @Test func theHeaderSaysIfNoSingleEventIsThere() {
    var snapshot = trace(isGraph: true)
    snapshot.records.removeAll { $0.kind == .levelChanged || $0.kind == .next }
    snapshot.header.startLevel = .graph
    let text = header(snapshot)
    let sentence = "lifetimes of the last 2.0 s are there, but no single event\n"
    #expect(text.contains(sentence), "\(text)")
  }

  @Test func theTitleDoesNotCallARecordingOfLifetimesComplete() {
    func title(_ isGraph: Bool) -> String {
      var model = Model(size: Size(columns: 120, rows: 40), screen: .sites)
      _ = model.update(.inspection(Inspection(snapshot: trace(isGraph: isGraph)), at: .end))
      return model.frame().text
    }
    #expect(title(true).contains("lifetimes: last 2.0 s  level graph"))
    #expect(title(false).contains("complete: last 2.0 s  level events"))
  }

  @Test func linesWithALevelOfTheirOwnAreNotPartOfTheWhole() {
    var snapshot = trace(isGraph: true)
    snapshot.sites[1].level = .events
    #expect(header(snapshot).contains("every event of the last 2.0 s is there"))
    #expect(snapshot.eventStretches(ofSite: 1).ticks.map(\.upperBound) == [.max])
    snapshot = trace(isGraph: false)
    snapshot.sites[1].level = .graph
    #expect(
      header(snapshot).contains(
        "every event of the last 2.0 s is there, except of lines whose place has a lower level"
      )
    )
    #expect(snapshot.eventStretches(ofSite: 1).ticks.isEmpty)
  }

  // MARK: Queues

  @Test func workThatIsNotRecordedIsUnknown() throws {
    let graph = QueueScan.report(upTo: .seconds(2), trace(isGraph: true))
    // The half second in which hops were recorded is part of the stretch.
    #expect(graph.isKnown && graph.isPartial && !graph.isWithoutHops)
    var later = trace(isGraph: true)
    later.records.removeAll { $0.kind == .levelChanged || $0.kind == .next }
    later.header.startLevel = .graph
    let report = QueueScan.report(upTo: .seconds(2), later)
    #expect(!report.isKnown && report.isWithoutHops)
    #expect(try #require(report.queues.first).begun == nil)
    let model = Model(size: Size(columns: 400, rows: 40), glyphs: .utf8, screen: .queues)
    let text = QueuesView.crossings(report, model, width: 400).map(\.text).joined()
    #expect(text.hasPrefix("Neither hops nor single events were recorded"), "\(text)")
    #expect(text.hasSuffix("RXTRACE=events records both."))
  }

  @Test func workThatIsRecordedIsKnown() throws {
    let report = QueueScan.report(upTo: .seconds(2), trace(isGraph: false))
    #expect(report.isKnown && !report.isPartial && !report.isWithoutHops)
    #expect(try #require(report.queues.first).begun == 0)
  }

  // MARK: Marbles

  @Test func aLaneWithoutRecordedEventsIsNotIdle() throws {
    func cells(_ isGraph: Bool) throws -> [MarbleCell] {
      let query = MarbleQuery(lanes: [.site(1)], from: .zero, span: .seconds(2), columns: 8)
      return try #require(MarbleScan.chart(query, trace(isGraph: isGraph)).tracks.first).cells
    }
    let graph = try cells(true)
    #expect(graph.map(\.life) == [.idle, .idle] + [MarbleLife](repeating: .unknown, count: 6))
    #expect(graph[..<2].map(\.isPartial) == [false, false] && graph[3].isPartial)
    #expect(MarblesView.short(graph[7], .utf8) == "unknown")
    let events = try cells(false)
    #expect(events.allSatisfy { $0.life == .idle && !$0.isPartial })
  }
}
