import Foundation
import InspectorUI
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Whatever a trace lacks, each answer about it is the same as about the whole trace, or is
/// unknown, or is marked as a lower bound.
@Suite(.enabled("the traced program was not built beside the tests", { Programs.traced != nil }))
struct IncompleteAnswersTests {
  /// One run for all tests, which ask their questions about the same files.
  static let traces = Result { try IncompleteTraces() }

  private func check(
    _ body: (_ what: String, _ whole: inout TraceSource, _ less: inout TraceSource) throws -> Void
  ) throws {
    let traces = try Self.traces.get()
    var whole = try TraceSource(path: traces.whole)
    _ = try whole.inspection(at: .end)
    var read = 0
    for (what, path) in traces.less {
      // A file too damaged to be recognized as a trace is refused with an error message.
      do {
        var source = try TraceSource(path: path)
        read += 1
        _ = try source.inspection(at: .end)
        try body(what, &whole, &source)
      } catch let error as TraceError {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(read >= traces.less.count - 1)
  }

  private func ask<Answer>(
    _ source: inout TraceSource,
    _ query: TraceQuery,
    _ pick: (TraceAnswer) -> Answer?
  ) throws -> Answer {
    try #require(pick(try source.query(query)))
  }

  @Test func theRunIsLongerThanItsRing() throws {
    let traces = try Self.traces.get()
    let whole = try TraceReader(path: traces.whole).snapshot()
    #expect(whole.firstExactGeneration == 1)
    for (what, path) in traces.less.dropLast() {
      let less = try TraceReader(path: path).snapshot()
      #expect(less.missingSegments + less.damagedSegments > 0, "\(what)")
      #expect(less.firstExactGeneration != 1 && !less.problems.isEmpty, "\(what)")
      #expect(less.records.count < whole.records.count, "\(what)")
    }
  }

  // MARK: Marbles

  @Test func marblesAgreeWithTheWholeOrAreUnknown() throws {
    try check { what, whole, less in
      let end = try whole.inspection(at: .end)
      let alive = end.subscriptions.prefix(4).map { MarbleLane.subscription($0.key) }
      let gone = end.events.compactMap(\.subject).suffix(200).filter { key in
        end.subscription(key) == nil && key.serial != 0
      }
      for part in [0.0, 0.5, 0.9] {
        let query = MarbleQuery(
          lanes: end.sites.map { .site($0.id) } + alive
            + gone.suffix(4).map(MarbleLane.subscription),
          from: end.instant.time * part,
          span: end.instant.time * (1 - part),
          columns: 64
        )
        func chart(_ source: inout TraceSource) throws -> MarbleChart {
          try ask(&source, .marbles(query)) { if case .marbles(let it) = $0 { it } else { nil } }
        }
        let charts = (try chart(&whole), try chart(&less))
        for (true_, mine) in zip(charts.0.tracks, charts.1.tracks) {
          for (place, (truth, cell)) in zip(true_.cells, mine.cells).enumerated() {
            // This text is computed only when a check fails, because there are thousands of cells.
            var at: String { "\(what), \(mine.lane), cell \(place) from \(part)" }
            if cell.isPartial {
              #expect(cell.values <= truth.values, "\(at)")
              #expect(cell.marks.isSubset(of: truth.marks), "\(at)")
              #expect(
                cell.life == .unknown || cell.life == truth.life
                  || (cell.life == .idle && truth.life == .busy),
                "\(at): \(cell.life), not \(truth.life)"
              )
            } else {
              // If the trace does not say since when work has been pending, the cell is not marked
              // as waiting.
              var all = truth
              if !cell.marks.contains(.waiting) { all.marks.remove(.waiting) }
              if cell != all { #expect(cell == all, "\(at)") }
            }
          }
        }
      }
    }
  }

  // MARK: Queues

  @Test func queuesClaimOnlyWhatIsKnown() throws {
    let records = try TraceReader(path: Self.traces.get().whole).snapshot()
    try check { what, whole, less in
      let end = try whole.inspection(at: .end).instant.time
      for part in [0.2, 0.6, 1.0] {
        let moment = end * part
        func report(_ source: inout TraceSource) throws -> QueueReport {
          try ask(&source, .queues(upTo: moment)) {
            if case .queues(let it) = $0 { it } else { nil }
          }
        }
        let (all, some) = (try report(&whole), try report(&less))
        #expect(all.isKnown && !all.isPartial)
        guard some.isKnown else {
          for queue in some.queues {
            #expect(
              queue.begun == nil && queue.mostWaiting == nil && queue.threads == nil,
              "\(what)"
            )
            #expect(queue.waits == nil && queue.runs == nil && queue.occupancy == nil, "\(what)")
          }
          #expect(some.crossings.isEmpty)
          continue
        }
        #expect(some.span <= all.span)
        // A report that covers less time must have the figures of that time.
        func begun(in span: Duration) -> Int {
          records.records.count { record in
            let time = Duration.nanoseconds(
              Int64(records.nanoseconds(from: record.ticks).rounded())
            )
            return record.kind == .hopBegan && time <= moment && time >= moment - span
          }
        }
        let reported = some.queues.reduce(0) { $0 + ($1.begun ?? -1) }
        let range =
          begun(in: some.span - .microseconds(1))...begun(in: some.span + .microseconds(1))
        #expect(range.contains(reported), "\(what) at \(part)")
        if some.span == all.span {
          #expect(some.queues.map(\.waits) == all.queues.map(\.waits), "\(what)")
          #expect(some.queues.map(\.runs) == all.queues.map(\.runs), "\(what)")
        }
      }
    }
  }

  // MARK: Causes

  @Test func causesAgreeWithThoseOfTheWholeTrace() throws {
    try check { what, whole, less in
      let snapshot = try TraceReader(path: less.inspection(at: .end).program.path).snapshot()
      let records = Array(snapshot.records.filter { $0.kind == .next || $0.kind == .hopBegan })
      for place in stride(from: 0, to: records.count, by: max(1, records.count / 4)) {
        let query = TraceQuery.journey(of: records[place].number)
        func journey(_ source: inout TraceSource) throws -> Journey {
          try ask(&source, query) { if case .journey(let it) = $0 { it } else { nil } }
        }
        let (all, some) = (try journey(&whole), try journey(&less))
        var depths: [UInt64: Int] = [:]
        for (event, depth) in zip(all.events, all.depths) { depths[event.number] = depth }
        var shifts: Set<Int> = []
        for (event, depth) in zip(some.events, some.depths) {
          let truth = try #require(
            depths[event.number],
            "\(what): #\(event.number) has no part in it"
          )
          shifts.insert(truth - depth)
        }
        #expect(shifts.count == 1, "\(what): \(shifts)")
        if let shift = shifts.first, shift > 0 { #expect(some.isCut, "\(what)") }
      }
    }
  }

  // MARK: Histograms

  @Test func histogramsCountOnlyRealEvents() throws {
    try check { what, whole, less in
      let end = try whole.inspection(at: .end)
      for site in end.sites {
        let query = TraceQuery.histograms(.site(site.id), upTo: end.instant.time)
        func histograms(_ source: inout TraceSource) throws -> [Histogram] {
          try ask(&source, query) { if case .histograms(let it) = $0 { it } else { nil } }
        }
        let all = try histograms(&whole)
        for histogram in try histograms(&less) {
          let name = histogram.title.prefix { $0 != "," }
          let truth = try #require(all.first { $0.title.prefix { $0 != "," } == name })
          for bucket in histogram.buckets {
            let counted = truth.buckets.first { $0.limit == bucket.limit }?.count ?? 0
            #expect(bucket.count <= counted, "\(what): \(histogram.title)")
          }
          if histogram.count < truth.count { #expect(histogram.title.contains(", in the last ")) }
        }
      }
    }
  }

  // MARK: Differences

  @Test func differencesAgreeWithTheWholeOrAreUnknown() throws {
    let traces = try Self.traces.get()
    func rows(_ path: String, _ from: String) throws -> [String: [String: Any]] {
      let outcome = try Programs.rxtop("diff", path, "--from", from, "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      var rows: [String: [String: Any]] = [:]
      for row in json?["rows"] as? [[String: Any]] ?? [] {
        rows["\(row["name"] ?? "")@\(row["location"] ?? "")"] = row
      }
      return rows
    }
    for from in ["batch 3", "batch 31", "batch 55"] {
      let all = try rows(traces.whole, from)
      #expect(!all.isEmpty)
      for (what, path) in traces.less.dropLast() {
        for (name, row) in try rows(path, from) {
          let truth = try #require(all[name], "\(what): \(name) did not change")
          for (key, value) in row where !(value is NSNull) {
            #expect("\(value)" == "\(truth[key] ?? "")", "\(what): \(key) of \(name) since \(from)")
          }
        }
      }
    }
  }

  // MARK: Commands

  /// Each exported row equals that of the whole trace, or has unknown fields.
  @Test(arguments: ["sites", "signals", "subscriptions", "events"])
  func exportedTablesAgreeWithTheWholeOrHaveUnknownFields(table: String) throws {
    let traces = try Self.traces.get()
    func rows(_ path: String) throws -> [String: [String]] {
      let outcome = try Programs.rxtop("export", "csv", path, "--table", table)
      #expect(outcome.status == 0, "\(outcome.errors)")
      var rows: [String: [String]] = [:]
      for line in outcome.output.split(separator: "\n").dropFirst() {
        let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        rows[cells[0]] = cells
      }
      return rows
    }
    let all = try rows(traces.whole)
    for (what, path) in traces.less.dropLast() {
      for (id, cells) in try rows(path) {
        let truth = try #require(all[id], "\(what): \(table) \(id)")
        for (cell, value) in zip(cells, truth) where cell != value {
          #expect(cell.isEmpty || ["?", "false"].contains(cell), "\(what): \(cells), not \(truth)")
        }
      }
    }
  }

  @Test(arguments: [
    "ndjson", "csv", "chrome", "perfetto", "dot", "mermaid", "speedscope", "pprof", "sqlite",
  ])
  func everyExportOfAnIncompleteTraceCanBeOpened(format: String) throws {
    try #require(PythonReader.python != nil)
    let less = try Self.traces.get().less
    for (what, path) in [less[0], less[less.count - 2], less[less.count - 1]] {
      let scratch = try Scratch()
      let file = scratch.path("export")
      let outcome = try Programs.rxtop("export", format, path, "-o", file)
      #expect(outcome.status == 0 || outcome.status == 3, "\(what): \(outcome.errors)")
      if outcome.status == 0 { _ = try ExportTests.open(file, as: format) }
    }
  }

  /// Compares how many subscriptions were live at each time, and when each one ended.
  @Test func theTimelineCountsLiveSubscriptionsOnlyWhereKnown() throws {
    let traces = try Self.traces.get()
    func events(_ path: String) throws -> [[String: Any]] {
      let outcome = try Programs.rxtop("export", "chrome", path)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      return json?["traceEvents"] as? [[String: Any]] ?? []
    }
    // The number of nanoseconds per tick is measured from each file, with limited precision, so
    // the times of one record may differ by some nanoseconds.
    struct Moment {
      var name: String
      var microseconds: Double

      init(_ event: [String: Any]) {
        // All events of a counter have the same name, so the value is added to it.
        let figure = event["ph"] as? String == "C" ? event["args"] : nil
        name = "\(event["id"] ?? "") \(event["name"] ?? "") \(figure ?? "")"
        microseconds = event["ts"] as? Double ?? .nan
      }

      func isAt(_ other: Double?) -> Bool { other.map { abs($0 - microseconds) < 0.01 } ?? false }
    }
    var counters: [String: [Double]] = [:]
    var ends: [String: Moment] = [:]
    for event in try events(traces.whole) {
      let moment = Moment(event)
      switch event["ph"] as? String {
      case "C": counters[moment.name, default: []].append(moment.microseconds)
      case "e": ends["\(event["id"] ?? "")"] = moment
      default: break
      }
    }
    #expect(counters.values.reduce(0) { $0 + $1.count } > 100)
    for (what, path) in traces.less.dropLast() {
      for event in try events(path) {
        let moment = Moment(event)
        switch event["ph"] as? String {
        case "C":
          #expect(counters[moment.name]?.contains(where: moment.isAt) ?? false, "\(what): \(event)")
        case "e":
          let arguments = event["args"] as? [String: Any] ?? [:]
          if arguments["end"] as? String == "?" { continue }
          let whole = ends["\(event["id"] ?? "")"]
          let isSame = whole?.name == moment.name && moment.isAt(whole?.microseconds)
          #expect(isSame, "\(what): \(event)")
        default: break
        }
      }
    }
  }

  /// `rxtop explain` and `rxtop marble` answer, or fail with an error; for an incomplete trace,
  /// the output of `rxtop marble --test` says that records are missing.
  @Test func explanationsAndMarblesOfIncompleteTracesAreAnswersOrErrors() throws {
    let traces = try Self.traces.get()
    let whole = try TraceReader(path: traces.whole).snapshot()
    let numbers = whole.records.filter { $0.kind == .next || $0.kind == .failed }.map(\.number)
    let values = stride(from: 0, to: numbers.count, by: numbers.count / 8).map { numbers[$0] }
    let serials = whole.slots.filter { $0.kind == .subscription }.prefix(4).map(\.serial)
    let questions =
      serials.map { ["subscription", "\($0)"] } + values.map { ["value", "\($0)"] }
      + values.map { ["error", "\($0)"] } + [["error"]]
    for question in questions {
      for (what, path) in traces.less {
        let outcome = try Programs.run(
          try #require(Programs.rxtop),
          ["explain", path] + question + ["--no-backtrace"]
        )
        #expect(
          outcome.status == 0 || outcome.status == 3,
          "\(what), \(question): \(outcome.errors)"
        )
        #expect(outcome.status == 0 || outcome.errors.hasPrefix("rxtop: "), "\(what)")
      }
    }
    for (what, path) in traces.less {
      for arguments in [["marble", path], ["marble", path, "--test", "--frame", "100ms"]] {
        let outcome = try Programs.run(try #require(Programs.rxtop), arguments)
        #expect(
          outcome.status == 0 || outcome.status == 3 || outcome.status == 2,
          "\(what): \(outcome.errors)"
        )
        if outcome.status == 0, arguments.contains("--test") {
          #expect(outcome.output.contains("are missing"), "\(what): \(outcome.output.prefix(300))")
        }
      }
    }
  }

  // MARK: A ring that has wrapped

  /// If the same program is recorded in a ring that overwrites most of the records, everything that
  /// does not depend on times is the same.
  @Test func aWrappedRingAgreesWithTheWholeTrace() throws {
    let scratch = try Scratch()
    let run = try TracedRun(["errands", "60"], in: scratch, options: "events,size=256K")
    let wrapped = try run.trace()
    #expect(wrapped.header.recycledSegments > 4 && wrapped.firstExactGeneration ?? .max > 1)
    var source = try TraceSource(path: wrapped.path)
    var whole = try TraceSource(path: Self.traces.get().whole)
    let (mine, truth) = (try source.inspection(at: .end), try whole.inspection(at: .end))
    #expect(mine.sites.map(\.live) == truth.sites.map(\.live))
    #expect(mine.sites.map(\.subscribed) == truth.sites.map(\.subscribed))
    #expect(mine.sites.map(\.events) == truth.sites.map(\.events))
    #expect(mine.subscriptions.map(\.key.serial) == truth.subscriptions.map(\.key.serial))
    #expect(mine.subscriptions.map(\.events) == truth.subscriptions.map(\.events))
    #expect(mine.subscriptions.map(\.root?.serial) == truth.subscriptions.map(\.root?.serial))
    #expect(mine.sites.map(\.growthSinceMark) == truth.sites.map(\.growthSinceMark))
    #expect(mine.marks.map(\.liveSubscriptions) == truth.marks.map(\.liveSubscriptions))
    for screen in Screen.allCases {
      let text = BatchText(screen: screen, filter: "", columns: 100, glyphs: .utf8, palette: nil)
      #expect(!text.render(mine).isEmpty)
    }
  }
}
