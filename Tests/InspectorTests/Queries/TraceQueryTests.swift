import ReactiveTrace
import Testing
import TraceModel

/// Questions that screens ask about the records of a trace in which every event is known.
@Suite struct TraceQueryTests {
  private func answer<Answer>(_ query: TraceQuery, _ pick: (TraceAnswer) -> Answer?) throws
    -> Answer
  {
    var story = try Story.source()
    _ = try story.inspection(at: .end)
    return try #require(pick(try story.query(query)))
  }

  private func marbles(_ query: MarbleQuery) throws -> [MarbleTrack] {
    try answer(.marbles(query)) { if case .marbles(let chart) = $0 { chart.tracks } else { nil } }
  }

  private func key(_ serial: UInt64) -> EntityKey {
    EntityKey(id: TraceID(rawValue: UInt32(Story.id(Int(serial)))), serial: serial)
  }

  // MARK: Marbles

  @Test func cellsContainTheEventsOfTheirTime() throws {
    // The chart has ten cells of 200 ms.
    let tracks = try marbles(
      MarbleQuery(
        lanes: [.site(1), .subscription(key(7)), .site(7)],
        from: .zero,
        span: .seconds(2),
        columns: 10
      )
    )
    #expect(tracks[0].cells.map(\.values) == [3, 0, 0, 2, 0, 0, 1, 0, 0, 0])
    #expect(tracks[0].cells[0].marks == .subscribed)
    #expect(tracks[0].cells[8].marks == .disposed)
    #expect(tracks[0].cells[9].life == .absent)
    #expect(tracks[1].cells.map(\.values) == [0, 0, 1, 0, 0, 0, 0, 0, 1, 0])
    #expect(tracks[1].cells[8].marks.contains(.failed))
    #expect(
      tracks[2].cells.map(\.life) == [.absent, .absent, .absent]
        + [MarbleLife](repeating: .idle, count: 7)
    )
    #expect(tracks[2].cells[3].marks == .subscribed && tracks[2].cells[7].marks == .subscribed)
  }

  @Test func everyEventIsInOneCellForAnyDivisionOfTime() throws {
    for columns in [1, 7, 64, 333] {
      let query = MarbleQuery(
        lanes: (1...7).map { .site($0) },
        from: .zero,
        span: .milliseconds(2001),
        columns: columns
      )
      let sums = try marbles(query).map { $0.cells.reduce(0) { $0 + $1.values } }
      #expect(sums == [6, 3, 2, 2, 2, 2, 0], "\(columns) cells")
    }
  }

  @Test func aLaneWaitsWhileItsWorkIsOnTheQueue() throws {
    let track = try marbles(
      MarbleQuery(
        lanes: [.subscription(key(11))],
        from: .milliseconds(1500),
        span: .milliseconds(300),
        columns: 30
      )
    )[0]
    #expect((0...20).allSatisfy { track.cells[$0].marks.contains(.waiting) })
    #expect(!track.cells[21].marks.contains(.waiting))
    #expect(track.cells[26].marks.contains(.failed))
  }

  @Test func marblesOfThePastAreTheSameFromEveryMoment() throws {
    for start in [0, 300, 900, 1500] {
      let query = MarbleQuery(
        lanes: (1...7).map { .site($0) } + [.subscription(key(7)), .subscription(key(11))],
        from: .milliseconds(start),
        span: .milliseconds(400),
        columns: 40
      )
      var story = try Story.source()
      _ = try story.inspection(at: .end)
      let fromEnd = try story.query(.marbles(query))
      _ = try story.inspection(at: .time(.milliseconds(start + 400)))
      let fromThere = try story.query(.marbles(query))
      guard case .marbles(let one) = fromEnd, case .marbles(let other) = fromThere else {
        Issue.record("no marbles")
        return
      }
      #expect(one.tracks.map(\.cells) == other.tracks.map(\.cells))
    }
  }

  // MARK: Queues

  @Test func queuesShowHowLongWorkWaitedAndRan() throws {
    let report = try answer(.queues(upTo: .seconds(2))) {
      if case .queues(let report) = $0 { report } else { nil }
    }
    let search = try #require(report.queues.first { $0.name == "story.search" })
    #expect(search.begun == 3 && search.waits?.count == 3)
    #expect(search.waits?.longest == .milliseconds(201))
    #expect(search.waits?.median == .milliseconds(1))
    #expect(search.runs?.longest == .milliseconds(860))
    #expect(search.mostWaiting == 1)
    // The queue was busy for 120, 860 and 60 ms of two seconds.
    #expect(abs((search.occupancy ?? 0) - 0.52) < 0.001)
    #expect(!report.isPartial)
  }

  @Test func runningWorkKeepsItsQueueBusy() throws {
    // The work began at 841 ms and ends at 1701 ms.
    let report = try answer(.queues(upTo: .milliseconds(1500))) {
      if case .queues(let report) = $0 { report } else { nil }
    }
    let search = try #require(report.queues.first { $0.name == "story.search" })
    #expect(search.begun == 2 && search.runs?.count == 2)
    let longest = try #require(search.runs?.longest)
    #expect(abs(longest / .milliseconds(1) - 659) <= 1, "\(longest)")
    #expect(abs((search.occupancy ?? 0) - 0.52) < 0.002)
  }

  @Test func eventsOnAnotherQueueThanTheirSubscriptionAreNamed() throws {
    let report = try answer(.queues(upTo: .seconds(2))) {
      if case .queues(let report) = $0 { report } else { nil }
    }
    #expect(report.crossings.map(\.name) == ["flatMap@Search.swift:21", "lookUp@Search.swift:30"])
    #expect(report.crossings.allSatisfy { $0.home == 1 && $0.other == 2 && $0.events == 2 })
  }

  // MARK: Causes

  @Test func aJourneyCrossesQueuesInBothDirections() throws {
    var story = try Story.source()
    let events = try story.inspection(at: .end).events
    let event = try #require(
      events.first { $0.kind == .next && $0.subjectText.hasPrefix("lookUp") }
    )
    let journey = try answer(.journey(of: event.number)) {
      if case .journey(let journey) = $0 { journey } else { nil }
    }
    let kinds = zip(journey.events, journey.depths).map { "\($1) \(RecordSpec.of($0.kind).name)" }
    #expect(
      kinds == [
        "0 hop-began", "0 depth", "0 next", "0 subscribed", "0 hop-scheduled", "1 hop-began",
        "1 next", "1 next", "1 hop-scheduled", "1 completed", "1 ended", "1 hop-ended",
        "2 hop-began", "2 next", "2 next", "2 hop-ended",
      ]
    )
    #expect(Set(journey.events.map(\.thread)) == ["main", "search-1"])
    #expect(journey.isCut)
  }

  @Test func aJourneyOfAMissingEventIsAnError() throws {
    var story = try Story.source()
    #expect(throws: TraceError.self) { try story.query(.journey(of: 99)) }
  }

  // MARK: Histograms

  @Test func histogramsCountEachLengthOnce() throws {
    let histograms = try answer(.histograms(.site(6), upTo: .seconds(2))) {
      if case .histograms(let histograms) = $0 { histograms } else { nil }
    }
    #expect(histograms.map(\.title) == ["Waiting on a queue"])
    #expect(histograms.map(\.count) == [3])
    // The lengths of time are 1 ms, 1 ms and 201 ms.
    #expect(histograms[0].buckets.first?.limit == .nanoseconds(1 << 20))
    #expect(histograms[0].buckets.first?.count == 2)
    #expect(histograms[0].buckets.last?.limit == .nanoseconds(1 << 28))
  }
}
