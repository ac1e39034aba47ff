import Glibc
import InspectorUI
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// The sample traces in `traces/`, written by the real recorder.
@Suite struct SampleTraceTests {
  static let paths: [String] = {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let folder = getenv("RX_SAMPLE_TRACES").map { String(cString: $0) } ?? "/\(root)/traces"
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".rxtrace") { names.append("\(folder)/\(name)") }
    }
    return names.sorted()
  }()

  @Test(arguments: paths)
  func replayEndsInTheStateOfTheSlab(path: String) throws {
    let snapshot = try TraceReader(path: path).snapshot()
    let last = try #require(snapshot.records.last { $0.kind != .entityStatus })
    var timeline = Timeline(snapshot)
    let found = timeline.inspection(at: .event(last.number))
    let replayed = Facts(try #require(found))
    let truth = Facts(Inspection(snapshot: snapshot))
    #expect(replayed.contradictions(to: truth) == [])
    #expect(replayed.isExact)
  }

  @Test(arguments: paths)
  func theEndAgreesWithTheLastRecordAboutSubscriptions(path: String) throws {
    let snapshot = try TraceReader(path: path).snapshot()
    let last = try #require(snapshot.records.last)
    var timeline = Timeline(snapshot)
    let found = timeline.inspection(at: .event(last.number))
    let replayed = try #require(found)
    let end = Inspection(snapshot: snapshot)
    if path.hasSuffix("/watchtower-leak.rxtrace") {
      let disposed = end.subscriptions.first { $0.key.serial == 58 }
      #expect(disposed?.stateWord == "cancelled")
    }
    for row in end.subscriptions {
      guard let before = replayed.subscription(row.key), before.state != nil else { continue }
      #expect(row.stateWord == before.stateWord, "\(row.label) \(row.key.label)")
    }
  }

  @Test(arguments: paths)
  func steppingBackwardsShowsTheSameAsSteppingForwards(path: String) throws {
    let snapshot = try TraceReader(path: path).snapshot()
    var timeline = Timeline(snapshot)
    var position: Position? = timeline.position(after: .time(.zero), .graphChange)
    var steps: [(position: Position, facts: Facts)] = []
    while let here = position, steps.count < 40 {
      let inspection = timeline.inspection(at: here)
      steps.append((here, Facts(try #require(inspection))))
      position = timeline.position(after: here, .graphChange)
    }
    #expect(!steps.isEmpty)
    for (position, facts) in steps.reversed() {
      let inspection = timeline.inspection(at: position)
      #expect(Facts(try #require(inspection)) == facts)
    }
  }

  /// The timers of the panes leak, so none of them has ended at any mark; the only other timer is
  /// that of the clock.
  @Test func marksBeforeTheWindowShowTimersAndOwners() throws {
    let path = try #require(Self.paths.first { $0.hasSuffix("/watchtower-leak.rxtrace") })
    var timeline = Timeline(try TraceReader(path: path).snapshot())
    let marks = timeline.snapshot.marks.filter { $0.name.hasPrefix("round ") }
    #expect(marks.count == 8)
    for mark in marks {
      let found = timeline.inspection(at: .mark(mark.index))
      let inspection = try #require(found)
      func row(_ place: String) -> SiteRow? { inspection.sites.first { $0.location == place } }
      #expect(row("Pane.swift:107")?.timersLive == mark.liveTimers - 1, "\(mark.name)")
      #expect(row("Tower.swift:25")?.ownersLive == (mark.name == "round 0" ? 0 : 1))
      #expect(row("Tower.swift:25")?.kind == .owners && row("Pane.swift:107")?.kind == .timers)
      let clock = inspection.sites.first { $0.name == "interval" }
      #expect(clock?.kind == .subscriptions && clock?.live == 1)
    }
  }
}

/// Marks of sample traces as moments that can be shown.
@Suite struct SampleMarkTests {
  private static func source(_ name: String) throws -> TraceSource {
    try TraceSource(
      path: try #require(SampleTraceTests.paths.first { $0.hasSuffix("/\(name).rxtrace") })
    )
  }

  @Test func laterMarksCanBeReachedFromThePast() throws {
    var source = try Self.source("watchtower-leak")
    let end = try source.inspection(at: .end)
    #expect(end.laterMarks.isEmpty && end.marks.count > 8)
    let first = try #require(end.marks.first { $0.name == "round 1" })
    let past = try source.inspection(at: .mark(first.id))
    #expect(past.marks.last?.name == "round 1")
    #expect(past.allMarks.map(\.id) == end.marks.map(\.id))

    var model = Model(size: .standard)
    _ = model.update(.inspection(end, at: .end))
    _ = model.update(.inspection(past, at: .mark(first.id)))
    let next = try #require(past.laterMarks.first)
    #expect(model.update(.key(.character("B"))).contains(.show(.mark(next.id))))
    #expect(model.frame().text.contains(next.name.isEmpty ? "At a mark" : "At '\(next.name)'"))
  }

  @Test(arguments: ["watchtower", "watchtower-leak"])
  func atAMarkTheTitleShowsTheCountsOfTheMark(name: String) throws {
    var source = try Self.source(name)
    let window = try #require(try source.inspection(at: .end).program.exactWindow)
    var inside = 0
    for mark in try source.inspection(at: .end).marks where mark.liveSubscriptions > 0 {
      let past = try source.inspection(at: .mark(mark.id))
      var model = Model(size: Size(columns: 200, rows: 24))
      _ = model.update(.inspection(past, at: .mark(mark.id)))
      #expect(model.frame().text.contains(" \(mark.liveSubscriptions) live subscription"))
      // An automatic mark may be made in the middle of another thread's work.
      guard !mark.name.isEmpty, past.instant.time >= window.lowerBound else { continue }
      inside += 1
      #expect(UInt64(past.liveSubscriptions) == mark.liveSubscriptions, "\(mark.name)")
    }
    #expect(inside > 0)
  }

  @Test func eventsBeforeTheWindowAreReportedAsMissing() throws {
    var source = try Self.source("watchtower-leak")
    let mark = try #require(try source.inspection(at: .end).marks.first { $0.name == "round 3" })
    var model = Model(size: Size(columns: 160, rows: 24), screen: .events)
    _ = model.update(.inspection(try source.inspection(at: .mark(mark.id)), at: .mark(mark.id)))
    let text = model.frame().text
    #expect(
      text.contains("is not in the recording any more") && text.contains("Every event is there")
    )
    #expect(!text.contains("Nothing has happened yet"))
  }

  @Test func armedTimersAreNotStalls() throws {
    var source = try Self.source("watchtower")
    #expect(try source.step(.stall, forward: false, from: .end) == nil)
  }
}
