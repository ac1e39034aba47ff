import Foundation
import Testing

/// Subcommands on the sample traces, as a user types them.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct SubcommandTests {
  private let leak = ExportTests.sample("watchtower-leak")
  private let sound = ExportTests.sample("watchtower")

  // MARK: Marbles

  @Test func marblePrintsALaneForEachNode() throws {
    let outcome = try Programs.rxtop("marble", leak, "--width", "100")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("subscribe@Pane.swift:94"))
    #expect(outcome.output.contains("● value"))
    let ascii = try Programs.rxtop("marble", leak, "--ascii")
    #expect(ascii.output.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func marbleMakesStringsThatMarbleTestsCanRead() throws {
    let scratch = try Scratch()
    try SmallTrace.write(to: scratch.path("small.rxtrace"))
    let outcome = try Programs.rxtop(
      "marble",
      scratch.path("small.rxtrace"),
      "--nodes",
      "3",
      "--from",
      "0",
      "--to",
      "2",
      "--frame",
      "100ms",
      "--test"
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("\"----------a--------b\"  // interval@Clock.swift:21 #3"))
  }

  @Test func marbleShowsNothingAfterTheMomentAtWhichItIsToEnd() throws {
    let scratch = try Scratch()
    try SmallTrace.write(to: scratch.path("small.rxtrace"))
    for words in [["--to", "1.5"], ["--from", "0", "--to", "1.5"]] {
      let outcome = try Programs.run(
        try #require(Programs.rxtop),
        ["marble", scratch.path("small.rxtrace"), "--nodes", "3", "--frame", "100ms", "--test"]
          + words
      )
      #expect(outcome.output.contains("\"----------a"), "\(outcome.output)")
      #expect(!outcome.output.contains("a--------b"), "\(words)")
    }
  }

  @Test func marbleShowsSubscriptionsThatHaveEnded() throws {
    let trace = ExportTests.sample("failure")
    let outcome = try Programs.rxtop("marble", trace, "--nodes", "5,6", "--test")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lanes = outcome.output.split(separator: "\n").filter { $0.hasPrefix("\"") }
    #expect(lanes.count == 2)
    for (lane, name) in zip(
      lanes,
      ["subscribe@Baskets.swift:102 #5", "tryMap@Baskets.swift:98 #6"]
    ) {
      #expect(lane.hasSuffix(name) && lane.contains("a") && lane.contains("#\""), "\(lane)")
    }
    let chart = try Programs.rxtop("marble", trace, "--nodes", "5", "--ascii").output
    #expect(chart.contains("subscribe@") && chart.contains("#5"), "\(chart)")
  }

  @Test func marbleReportsUnknownArguments() throws {
    let trace = ExportTests.sample("failure")
    let unknownNode = try Programs.rxtop("marble", trace, "--nodes", "9999")
    #expect(
      unknownNode.status == 2 && unknownNode.errors.contains("this trace has no record of #9999")
    )
    let signal = try Programs.rxtop("marble", trace, "--nodes", "1")
    #expect(signal.status == 2 && signal.errors.contains("#1 is a signal of "))
    let node = try Programs.rxtop("marble", leak, "--nodes", "nowhere")
    #expect(node.status == 2 && node.errors.contains("'nowhere' is neither"))
    let moment = try Programs.rxtop("marble", leak, "--from", "whenever")
    #expect(moment.status == 2 && moment.errors.contains("'whenever' is not a moment"))
    let empty = try Programs.rxtop("marble", leak, "--from", "10s", "--to", "9s")
    #expect(empty.status == 2 && empty.errors.contains("--from must lie before --to"))
    let frames = try Programs.rxtop("marble", leak, "--test", "--frame", "1us")
    #expect(frames.status == 2 && frames.errors.contains("choose a longer --frame"))
    let none = try Programs.rxtop("marble", leak, "--nodes", ",")
    #expect(none.status == 2 && none.errors.contains("',' names no lane"))
  }

  @Test(arguments: ["dump", "check", "--json"])
  func outputToAFullDiskIsReportedInOneSentence(command: String) throws {
    let rxtop = try #require(Programs.rxtop)
    let script = "exec \"$0\" \(command) \"$1\" >/dev/full"
    let outcome = try Programs.run("/bin/sh", ["-c", script, rxtop, leak])
    #expect(outcome.status == 3)
    #expect(outcome.errors.hasPrefix("rxtop: error: cannot write the output: No space left"))
  }

  // MARK: Single events

  @Test func dumpOfAnEventSaysAtWhichTimeItIsShown() throws {
    let outcome = try Programs.rxtop("dump", leak, "--event", "70317")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let head = "watchtower 24379  ended  after 15.022 s  shown at 14.336 s  level events\n"
    #expect(outcome.output.hasPrefix(head), "\(outcome.output)")
    let other = try Programs.rxtop("dump", ExportTests.sample("failure"), "--event", "8252")
    #expect(
      other.output.hasPrefix("corpus 20314  ended  after 0.107 s  shown at 0.055 s  level events\n")
    )
  }

  // MARK: Differences

  /// The lines of a part of the output, without the heading.
  private func part(_ heading: String, of output: String) -> [Substring] {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    return Array(lines.drop { $0 != heading }.dropFirst().prefix { !$0.isEmpty })
  }

  @Test func diffOfTwoTracesBeginsWithTheLeak() throws {
    let outcome = try Programs.rxtop("diff", sound, leak)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.prefix(2).map { $0.prefix(1) } == ["A", "B"])
    #expect(lines.dropFirst(2).first == "What got worse")
    let worse = part("What got worse", of: outcome.output)
    #expect(worse.first?.hasPrefix("  LEAK ") == true, "\(outcome.output)")
    #expect(worse.contains { $0.hasPrefix("  live ") })
    let row = lines.last { $0.contains("subscribe@Pane.swift:94") }
    #expect(row?.contains("worse: ") == true, "\(outcome.output)")
    let back = try Programs.rxtop("diff", leak, sound)
    #expect(part("What got better", of: back.output).first?.hasPrefix("  LEAK ") == true)
    #expect(!part("What got worse", of: back.output).contains { $0.contains("LEAK") })
  }

  @Test func diffOfATraceWithItselfSaysThatNothingGotWorse() throws {
    let outcome = try Programs.rxtop("diff", sound, sound)
    #expect(outcome.output.contains("\nNothing got worse.\n"))
    #expect(!outcome.output.contains("What got ") && !outcome.output.contains("operator@file"))
    let all = try Programs.rxtop("diff", sound, sound, "--all", "--sort", "events/s")
    #expect(all.output.contains("operator@file:line") && all.output.contains("alike"))
  }

  @Test func diffOfTwoTracesListsWhatGotWorseInJSON() throws {
    let outcome = try Programs.rxtop("diff", sound, leak, "--json", "-n", "3")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let worse = try #require(object?["worse"] as? [[String: Any]])
    #expect(worse.first?["aspect"] as? String == "finding")
    #expect(worse.first?["level"] as? String == "LEAK")
    let runs = try #require(object?["runs"] as? [[String: Any]])
    #expect(runs.count == 2 && runs.allSatisfy { ($0["duration"] as? Int ?? 0) > 0 })
    let rows = try #require(object?["rows"] as? [[String: Any]])
    #expect(rows.count == 3 && rows.allSatisfy { $0["eventRateAfter"] is Double })
    #expect(rows.allSatisfy { ($0["worse"] as? [String])?.isEmpty == false })
  }

  @Test func diffHasDifferentColumnsForOneTraceAndForTwo() throws {
    let moments = try Programs.rxtop("diff", leak, "--sort", "events/s")
    #expect(moments.status == 2 && moments.errors.contains("use operator"), "\(moments.errors)")
    let traces = try Programs.rxtop("diff", sound, leak, "--sort", "change")
    #expect(traces.status == 2 && traces.errors.contains("events/s"), "\(traces.errors)")
    #expect(try Programs.rxtop("diff", leak, "--all").status == 2)
  }

  @Test func diffReportsMomentsThatItCannotCompare() throws {
    let back = try Programs.rxtop("diff", leak, "--from", "10s", "--to", "1s")
    #expect(back.status == 2 && back.errors.contains("'10s' is later than '1s'; --from must lie"))
    let none = try Programs.rxtop("diff", leak, "--from", "nowhen")
    #expect(none.status == 2 && none.errors.contains("or the name of a mark: 'round 0', 'round 1'"))
  }

  @Test func diffBetweenMarksHasTheCountsOfTheMarks() throws {
    let outcome = try Programs.rxtop("diff", leak, "--json", "--filter", "Pane.swift:94")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let rows = object?["rows"] as? [[String: Any]]
    let row = try #require(rows?.first)
    #expect(rows?.count == 1)
    let before = try #require(row["before"] as? Int)
    let after = try #require(row["after"] as? Int)
    #expect(row["change"] as? Int == after - before && after > before)
    let wrong = try Programs.rxtop("diff", leak, "--from", "no such mark")
    #expect(wrong.status == 2 && wrong.errors.contains("the name of a mark"))
  }

  @Test func diffCountsTheTimersOfLinesWithoutSubscriptions() throws {
    let rxtop = try #require(Programs.rxtop)
    for (traces, expected) in [([sound, leak], ["0", "→", "28"]), ([leak], ["+28", "0", "28"])] {
      let wide = ["COLUMNS": "200"]
      let outcome = try Programs.run(rxtop, ["diff"] + traces, environment: wide)
      let row = outcome.output.split(separator: "\n")
        .last { $0.contains("schedule(every:)@Pane.swift:107") }
      let cells = row?.split(separator: " ").drop { !$0.contains("@") }.dropFirst().prefix(3)
      #expect(cells.map { $0.map(String.init) } == expected, "\(outcome.output)")
    }
  }

  @Test func diffSaysWhyLinesAreUnknown() throws {
    let times = try Programs.rxtop("diff", leak, "--from", "3s", "--to", "6s")
    let lines = times.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("since 3.000 s: ") == true)
    #expect(lines.first?.hasSuffix(" unknown; memory was not recorded") == true)
    let reason = "The ring has overwritten the records of the unknown lines: compare marks, as"
    #expect(lines.dropFirst().first?.hasPrefix(reason) == true, "\(times.output)")
    let marks = try Programs.rxtop("diff", leak, "--from", "round 2", "--to", "round 5")
    #expect(!marks.output.contains("unknown"), "\(marks.output)")
  }

  // MARK: Lists

  @Test func listsAreFilteredSortedAndLimited() throws {
    let outcome = try Programs.rxtop(
      "--once",
      "--screen",
      "subscriptions",
      "--filter",
      "state=active & events>10",
      "--sort",
      "events down",
      "-n",
      "3",
      leak
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("#") } == 3)
    #expect(outcome.output.contains("more\n"))
    let json = try Programs.rxtop("--json", "--screen", "sites", "-n", "2", "--sort", "live", leak)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect((object?["sites"] as? [Any])?.count == 2)
    let wrong = try Programs.rxtop("--once", "--sort", "nonsense", leak)
    #expect(wrong.status == 2 && wrong.errors.contains("use findings, operator@file:line, live"))
  }

  @Test(arguments: ["marbles", "queues", "diff"]) func printsScreensThatReadTheRecords(
    name: String
  ) throws {
    let outcome = try Programs.rxtop("--once", "--screen", name, leak)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Pane.swift") || outcome.output.contains("watchtower.reading"))
  }

  // MARK: Recording and pruning

  @Test func recordTracesAProgramAndEndsWithItsStatus() throws {
    let scratch = try Scratch()
    let program = try #require(Programs.traced)
    let trace = scratch.path("new.rxtrace")
    let outcome = try Programs.rxtop(
      "record",
      "-o",
      trace,
      "--size",
      "256K",
      "--",
      program,
      "work",
      "100"
    )
    #expect(FileManager.default.fileExists(atPath: trace), "\(outcome.errors)")
    #expect(outcome.errors.contains("the trace is in"))
    #expect(try Programs.rxtop("--once", trace).status == 0)
    let again = try Programs.rxtop("record", "-o", trace, "--", program)
    #expect(again.status == 3 && again.errors.contains("exists already"))
    let none = try Programs.rxtop("record", "-o", scratch.path("none.rxtrace"), "--", "/bin/true")
    #expect(none.status == 3 && none.errors.contains("made no trace"))
    #expect(try Programs.rxtop("record").status == 2)
  }

  @Test func recordDoesNotRunTheProgramIfItCannotWriteATrace() throws {
    let scratch = try Scratch()
    let ran = scratch.path("ran")
    let nowhere = scratch.path("nowhere/app.rxtrace")
    let outcome = try Programs.rxtop("record", "-o", nowhere, "--", "/bin/touch", ran)
    #expect(outcome.status == 3 && outcome.errors.contains("no trace can be made in"))
    let size = try Programs.rxtop("record", "--size", "much", "--", "/bin/touch", ran)
    #expect(size.status == 2 && size.errors.contains("'--size much' is not a size"))
    #expect(!FileManager.default.fileExists(atPath: ran))
  }

  @Test func lsFiltersAndSorts() throws {
    let scratch = try Scratch()
    for name in ["a", "b", "c"] { try SmallTrace.write(to: scratch.path("\(name).rxtrace")) }
    let environment = ["RXTRACE_DIR": scratch.folder.path]
    func list(_ arguments: String...) throws -> Programs.Outcome {
      try Programs.run(
        try #require(Programs.rxtop),
        ["ls", "--filter", scratch.folder.lastPathComponent] + arguments,
        environment: environment
      )
    }
    #expect(try list().output.split(separator: "\n").count == 4)
    #expect(try list("-n", "1").output.hasSuffix("and 2 more\n"))
    #expect(try list("--sort", "size up").status == 0)
    let wrong = try list("--sort", "nonsense")
    #expect(
      wrong.status == 2 && wrong.errors.contains("use process, state, program, started, size")
    )
    let json = try list("--json", "-n", "2").output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let traces = object?["traces"] as? [[String: Any]]
    #expect(traces?.count == 2)
    #expect(traces?.first?["program"] as? String == "small")
  }

  @Test func pruneRemovesPastRunsAndNothingElse() throws {
    let scratch = try Scratch()
    for name in ["old.rxtrace", "older.rxtrace"] { try SmallTrace.write(to: scratch.path(name)) }
    try "text".write(toFile: scratch.path("notes.rxtrace"), atomically: true, encoding: .utf8)
    let folder = scratch.folder.path
    func left() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
        .filter { $0.hasSuffix("rxtrace") }.sorted()
    }
    let dry = try Programs.rxtop("prune", folder, "--dry-run", "--keep", "1")
    #expect(dry.output.contains("would remove 1 trace"), "\(dry.output)")
    #expect(try left().count == 3)
    let young = try Programs.rxtop("prune", folder, "--older-than", "90000d")
    #expect(young.output.contains("removed 0 traces"))
    _ = try Programs.rxtop("prune", folder, "--keep", "1")
    #expect(try left().count == 2)
    _ = try Programs.rxtop("prune", folder)
    #expect(try left() == ["notes.rxtrace"])
    let file = try Programs.rxtop("prune", scratch.path("notes.rxtrace"))
    #expect(
      file.status == 3
        && file.errors.contains("is not a directory that can be searched (it is a file)")
    )
    let none = try Programs.rxtop("prune", scratch.path("nowhere"))
    #expect(none.status == 3 && none.errors.contains("(No such file or directory)"))
  }
}
