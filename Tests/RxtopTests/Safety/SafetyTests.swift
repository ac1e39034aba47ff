import Foundation
import Glibc
import Testing
import TraceReading

/// Whatever happens to a traced program, it continues, and the trace or one line on standard error
/// says what happened.
@Suite(.enabled("traced-program was not built beside the tests", { Programs.traced != nil }))
struct SafetyTests {
  @Test func aForkedChildIsNotInTheTraceAndTheParentContinues() throws {
    let run = try TracedRun(["fork"], in: Scratch())
    #expect(run.hasSucceeded && run.errorLines.isEmpty)
    let trace = try run.trace()
    #expect(trace.isWhole && trace.events == 20)
    #expect(trace.records.contains { $0.kind == .forked })
  }

  @Test func aSpawnedChildHasASeparateTrace() throws {
    let run = try TracedRun(["spawn"], in: Scratch())
    #expect(run.hasSucceeded && run.errorLines.isEmpty)
    let traces = try run.traces()
    #expect(traces.map(\.events) == [20, 20])
    #expect(traces.allSatisfy { $0.isWhole && $0.header.state == .stopped })
    #expect(Set(traces.map(\.header.processID)).count == 2)
  }

  @Test func tenThousandShortLivedThreadsLeaveNothingBehind() throws {
    let run = try TracedRun(["threads", "10000"], in: Scratch())
    #expect(run.hasSucceeded && run.errorLines.isEmpty)
    let trace = try run.trace()
    #expect(trace.isWhole && trace.slots.isEmpty)
    #expect(trace.sites.last?.subscribed == 10_000 && trace.events == 30_000)
    #expect(trace.threads.filter { $0.systemID != 0 && $0.ended == nil }.count <= 1)
  }

  /// Half of the segments, which are 64 KiB of records each, are for threads that have one of their
  /// own; all other threads share one.
  @Test(arguments: ["256K", "1M"])
  func twoThousandConcurrentThreadsShareTheSegments(size: String) throws {
    let run = try TracedRun(["concurrent", "2000"], in: Scratch(), options: "events,size=\(size)")
    #expect(run.hasSucceeded && run.errorLines.isEmpty)
    let trace = try run.trace()
    #expect(trace.problems.isEmpty && trace.missingSegments == 0)
    #expect(trace.header.lostRecords == 0)
    let site = try #require(trace.sites.last)
    // If there are more entities than slots, the trace counts the entities without a slot.
    let lost = trace.header.lost[.slab] ?? 0
    #expect(site.subscribed + site.signalsCreated + lost >= 20_000)
    #expect(lost > 0 || site.subscribed == 10_000)
    #expect(trace.slots.isEmpty)
  }

  /// The findings are the same as after a few rounds, and nothing counts as lost.
  @Test(arguments: [("256K", 900), ("64M", 10_000)])
  func thousandsOfMarksGiveTheSameFindingsAsAFew(size: String, rounds: Int) throws {
    let options = "graph,size=\(size)"
    let leaky = try TracedRun(["rounds", "\(rounds)", "1"], in: Scratch(), options: options)
    let fixed = try TracedRun(["rounds", "\(rounds)", "0"], in: Scratch(), options: options)
    for (run, status) in [(leaky, 1), (fixed, 0)] {
      #expect(run.hasSucceeded && run.errorLines.isEmpty)
      let trace = try run.trace()
      #expect(trace.isWhole)
      let check = try Programs.rxtop("check", trace.path)
      #expect(check.status == Int32(status), "\(check.output)")
      #expect(!check.output.contains("LOST"))
      #expect(check.output.contains("LEAK") == (status == 1))
      let words = check.output.split { $0.isWhitespace }.joined(separator: " ")
      #expect(words.contains(/per [0-9]+ rounds/) == (status == 1))
    }
  }

  @Test func aClockThatJumpsChangesNothing() throws {
    let run = try TracedRun(["clock"], in: Scratch())
    #expect(run.hasSucceeded && run.errorLines.isEmpty)
    let trace = try run.trace()
    #expect(trace.isWhole && trace.events == 25_000)
    #expect(trace.nanosecondsPerTick > 0)
    #expect(zip(trace.records, trace.records.dropFirst()).allSatisfy { $0.ticks <= $1.ticks })
    #expect(try Programs.rxtop("--once", trace.path).status == 0)
  }

  @Test func aSecondCopyOfTheLibraryLeavesTheTraceOfTheFirstAlone() throws {
    let scratch = try Scratch()
    let library = try SecondCopy.link(in: scratch)
    let run = try TracedRun(["two-copies", library], in: scratch)
    #expect(run.hasSucceeded)
    try #require(run.errorLines.count == 1)
    #expect(run.errorLines[0].contains("another copy of this library in the same process"))
    #expect(run.errorLines[0].hasSuffix("the program runs on without a trace"))
    let trace = try run.trace()
    #expect(trace.isWhole && trace.events == 120 && trace.header.state == .stopped)
  }

  /// The first copy records nothing; the second copy begins to record when it is loaded.
  @Test func aSecondCopyRecordsWhereTheFirstDoesNot() throws {
    let scratch = try Scratch()
    let library = try SecondCopy.link(in: scratch)
    let run = try TracedRun(["two-copies", library], in: scratch, options: "level=off")
    #expect(run.hasSucceeded && run.errorLines.isEmpty)
    #expect(try run.traces().isEmpty)
  }

  /// All libraries that a program loads with `dlopen` share some 1,600 bytes of static thread-local
  /// storage.
  @Test func sixPlugInsWithSeparateLibrariesHaveRoomForThreadLocalStorage() throws {
    let scratch = try Scratch()
    let library = try SecondCopy.link(in: scratch)
    let copies = try (1...6).map { number in
      let copy = scratch.path("plug-in-\(number).so")
      try Programs.copy(library, to: copy)
      return copy
    }
    let run = try TracedRun(["plug-ins"] + copies, in: scratch)
    #expect(run.hasSucceeded && run.errorLines.isEmpty, "\(run.errorLines)")
    #expect(try run.trace().events == 10)
  }

  @Test func aSecondRunOfTheSameProgramHasASeparateFile() throws {
    let scratch = try Scratch()
    let first = try TracedRun(["work", "10"], in: scratch)
    let second = try TracedRun(["work", "20"], in: scratch)
    #expect(first.hasSucceeded && second.hasSucceeded)
    #expect(first.errorLines.isEmpty && second.errorLines.isEmpty)
    #expect(try second.traces().map(\.events) == [10, 20])
  }

  /// A program that replaces itself keeps its process identifier and its start time, by which
  /// traces are named.
  @Test(arguments: [false, true])
  func aProgramThatReplacesItselfKeepsAllRecordings(isNamed: Bool) throws {
    let scratch = try Scratch()
    let named = scratch.path("traces/named.rxtrace")
    let run = try TracedRun(
      ["again", "4"],
      in: scratch,
      options: "events,size=256K" + (isNamed ? ",file=\(named)" : "")
    )
    #expect(run.hasSucceeded && run.errorLines.isEmpty, "\(run.errorLines)")
    let traces = try run.traces()
    #expect(traces.map(\.events) == [40, 30, 20, 10])
    #expect(Set(traces.map(\.header.processID)).count == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: run.folder.path).sorted()
    let process = try #require(traces.first).header.processID
    let stem = isNamed ? "named" : "traced-program"
    #expect(
      names.filter { $0.contains(/-[0-2]\.rxtrace$/) }
        == (0..<3).map { "\(stem)-\(process)-\($0).rxtrace" }
    )
    #expect(names.count == 4 && (!isNamed || names.contains("named.rxtrace")))
    // `keep` also limits the number of these traces.
    if isNamed {
      let next = try TracedRun(
        ["again", "3"],
        in: scratch,
        options: "events,size=256K,keep=1,file=\(named)"
      )
      #expect(next.hasSucceeded && next.errorLines.isEmpty, "\(next.errorLines)")
      #expect(try next.traces().map(\.events) == [20, 10])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may make a time namespace"))
  func aProcessInAnotherTimeNamespaceIsReportedAsRunning() throws {
    let rxtop = try #require(Programs.rxtop)
    let look = [rxtop, "--once", "--json"]
    let elsewhere = ["unshare", "--time", "--boottime", "1000", "--monotonic", "500", "--fork"]
    // First rxtop runs in another time namespace, then the program does.
    let seen = try TracedRun(["while"] + elsewhere + look, in: Scratch())
    #expect(seen.hasSucceeded, "\(seen.outcome)")
    #expect(
      seen.outcome.output.contains("\"status\": \"running\""),
      "\(seen.outcome.output.prefix(600))"
    )
    let back = ["nsenter", "--time=/proc/\(getpid())/ns/time"] + look
    let run = try TracedRun(
      elsewhere + [try #require(Programs.traced), "while"] + back,
      in: Scratch(),
      program: "/usr/bin/env"
    )
    #expect(run.hasSucceeded, "\(run.outcome)")
    #expect(
      run.outcome.output.contains("\"status\": \"running\""),
      "\(run.outcome.output.prefix(600))"
    )
  }

  // MARK: Places where no trace can be written

  @Test(arguments: ["missing", "a file", "a link", "open to others"])
  func anInvalidLocationIsReportedInOneLine(place: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("place")
    let manager = FileManager.default
    var directory = path
    switch place {
    case "missing": directory = path + "/deeper"
    case "a file": try Data().write(to: URL(filePath: path))
    case "a link":
      try manager.createDirectory(atPath: path + "-real", withIntermediateDirectories: true)
      try manager.createSymbolicLink(atPath: path, withDestinationPath: path + "-real")
    default:
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
      chmod(path, 0o777)
    }
    let run = try TracedRun(["work", "1000"], in: scratch, directory: directory)
    expectOneLine(run, about: directory)
    if place == "a link" {
      #expect(try manager.contentsOfDirectory(atPath: path + "-real").isEmpty)
    }
  }

  /// A link in the place of the trace may have been planted there, so nothing is written to its
  /// target.
  @Test func aLinkInTheTracesPlaceIsNotFollowed() throws {
    let scratch = try Scratch()
    let target = scratch.path("precious")
    try Data("precious".utf8).write(to: URL(filePath: target))
    let link = scratch.path("trace.rxtrace")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let run = try TracedRun(["work", "1000"], in: scratch, options: "size=1M,file=\(link)")
    expectOneLine(run, about: link)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
  }

  @Test(.enabled(if: geteuid() == 0, "only root may mount a file system"))
  func aReadOnlyDirectoryIsReportedInOneLine() throws {
    try onFileSystem(options: "size=1m", flags: UInt(MS_RDONLY)) { scratch, directory in
      expectOneLine(
        try TracedRun(["work", "1000"], in: scratch, directory: directory),
        about: directory
      )
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may mount a file system"))
  func aFullDiskIsReportedInOneLineBeforeAnythingIsRecorded() throws {
    try onFileSystem(options: "size=16k,mode=0700", flags: 0) { scratch, directory in
      let run = try TracedRun(["work", "1000"], in: scratch, directory: directory)
      expectOneLine(run, about: directory)
      #expect(try run.traces().isEmpty)
    }
  }

  /// The disk may be too full for segments, for slots or for rows of tables.
  @Test(
    .enabled(if: geteuid() == 0, "only root may mount a file system"),
    arguments: [["work", "200000"], ["errands", "400"], ["rounds", "2000", "1"]],
    [120, 256, 600]
  )
  func aDiskThatFillsUpStopsTheRecordingButNotTheProgram(errand: [String], kilobytes: Int) throws {
    try onFileSystem(options: "size=\(kilobytes)k,mode=0700", flags: 0) { scratch, directory in
      let run = try TracedRun(errand, in: scratch, options: "events,size=64M", directory: directory)
      #expect(run.hasSucceeded, "\(run.outcome)")
      try #require(run.errorLines.count == 1, "\(run.errorLines)")
      #expect(run.errorLines[0].contains("the disk has no room for more"))
      #expect(run.errorLines[0].contains("the program goes on"))
      let trace = try run.trace()
      #expect(trace.problems.isEmpty, "\(trace.problems)")
      #expect(trace.header.state == .stopped && trace.header.stopError == ENOSPC)
      #expect(trace.header.stopTicks != nil && !trace.records.isEmpty)
      let check = try Programs.rxtop("check", trace.path)
      #expect(check.status == 1 || check.status == 4, "\(check.output)")
      let words = check.output.split { $0.isWhitespace }.joined(separator: " ")
      #expect(words.contains("the recording ends after about"))
      #expect(words.contains("stopped before the process did"))
      #expect(trace.header.lostRecords == 0 && trace.header.lost.isEmpty)
      #expect(words.contains("because the disk was full: the program went on"))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may mount a file system"))
  func aDiskThatFillsUpEndsTheStreamAndTheTraceSaysSo() throws {
    try onFileSystem(options: "size=4m,mode=0700", flags: 0) { scratch, directory in
      let run = try TracedRun(
        ["work", "200000"],
        in: scratch,
        options: "mode=stream,size=1M",
        directory: directory
      )
      #expect(run.hasSucceeded && run.errorLines.isEmpty)
      let trace = try run.trace()
      #expect(trace.problems.isEmpty && trace.events == 200_000)
      #expect(trace.header.recycledSegments > 0)
      let text = TraceText.dump(try TraceReader(path: trace.path))
      #expect(text.contains("\nheader tailState=failed\nheader tailError=\(ENOSPC)\n"))
    }
  }

  /// A program that runs with another user's rights must not let its caller decide where it writes.
  @Test(.enabled(if: geteuid() == 0, "only root can give a program to another user"))
  func aSetuidProgramIgnoresTheEnvironment() throws {
    let scratch = try Scratch()
    let copy = scratch.path("traced-setuid")
    try Programs.copy(try #require(Programs.traced), to: copy)
    chmod(scratch.folder.path, 0o755)
    #expect(chown(copy, 65534, 65534) == 0 && chmod(copy, 0o4755) == 0)
    let traces = scratch.path("traces")
    try FileManager.default.createDirectory(atPath: traces, withIntermediateDirectories: true)
    #expect(chown(traces, 65534, 65534) == 0 && chmod(traces, 0o700) == 0)
    let run = try TracedRun(["work", "10"], in: scratch, program: copy, directory: traces)
    #expect(run.hasSucceeded && run.errorLines.isEmpty, "\(run.outcome)")
    #expect(try run.traces().isEmpty)
    // Without the setuid bit, the same program is traced.
    chmod(copy, 0o755)
    chown(traces, 0, 0)
    #expect(
      try TracedRun(["work", "10"], in: scratch, program: copy, directory: traces).trace().events
        == 10
    )
  }

  // MARK: Helpers

  private func expectOneLine(_ run: TracedRun, about path: String) {
    #expect(run.hasSucceeded)
    #expect(run.errorLines.count == 1)
    #expect(run.errorLines.first?.hasPrefix("rxtrace: '\(path)") == true, "\(run.errorLines)")
    #expect(run.errorLines.first?.hasSuffix("; the program runs on without a trace") == true)
  }

  private func onFileSystem(
    options: String,
    flags: UInt,
    _ body: (Scratch, String) throws -> Void
  ) throws {
    let scratch = try Scratch()
    let directory = scratch.path("mounted")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try #require(
      mount("tmpfs", directory, "tmpfs", flags, options) == 0,
      "mounting is not allowed here"
    )
    defer { umount2(directory, Int32(MNT_DETACH)) }
    try body(scratch, directory)
  }
}
