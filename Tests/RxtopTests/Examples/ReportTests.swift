import Foundation
import Glibc
import Testing

/// The example `report`, which does independent work at the same time.
@Suite(
  .enabled(
    "rxtop and report were not built beside the tests",
    { Programs.built("report") != nil }
  )
)
struct ReportTests {
  private static let report = """
    4 pear at 9 = 36
    3 apple at 12 = 36
    20 plum at 3 = 60
    total 132
    Done processing.

    """

  @Test func ordersAndPriceListsAreJoined() async throws {
    let program = try ExampleProcess("report")
    #expect(try await program.end() == 0)
    #expect(program.output == Self.report)

    let trace = try ExampleTrace(program.trace, of: "report")
    try trace.expect([
      ("from", "Database.swift", "Signal.from(table)"),
      ("filter", "Database.swift", ".filter(isWanted)"),
      ("subscribe(on:)", "Database.swift", ".subscribe(on: Self.queue)"),
      ("collect", "Report.swift", ".collect()"),
      ("attempt", "PriceList.swift", ".attempt"),
      ("subscribe(on:)", "Report.swift", "subscribe(on: disk)"),
      ("forkJoin", "Report.swift", "forkJoin(files.map"),
      ("forkJoin", "Report.swift", "forkJoin(orders, prices)"),
      ("deliver(on:)", "Report.swift", ".deliver(on: .main)"),
      ("finally", "Report.swift", ".finally"),
      ("subscribe", "Report.swift", "  .subscribe("),
    ])
    trace.expectHops(on: "database", "disk", "main")
  }

  /// Opening a pipe blocks until its other end is opened, so the second list can only be read if
  /// nothing waits for the first.
  @Test func priceListsAreReadAtTheSameTime() async throws {
    let scratch = try Scratch()
    let pipes = ["first", "second"].map { scratch.path($0) }
    for pipe in pipes { try #require(mkfifo(pipe, 0o600) == 0) }
    let program = try ExampleProcess("report", pipes)
    for (pipe, text) in zip(pipes, ["apple 12\npear 9\n", "plum 3\n"]).reversed() {
      var descriptor: Int32 = -1
      try await eventually("somebody reads \(pipe)") {
        descriptor = open(pipe, O_WRONLY | O_NONBLOCK)
        return descriptor >= 0
      }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
    }
    #expect(try await program.end() == 0)
    #expect(program.output == Self.report)
  }

  @Test func aFailureIsReportedOnce() async throws {
    let scratch = try Scratch()
    let list = scratch.path("prices")
    try "apple 12\npear cheap\n".write(toFile: list, atomically: true, encoding: .utf8)
    let broken = try ExampleProcess("report", [list])
    #expect(try await broken.end() == 1)
    #expect(broken.output.isEmpty)
    #expect(
      broken.errors == """
        report: '\(list)', line 2: expected a name and a price, such as 'apple 12', found 'pear cheap'

        """
    )
    let missing = try ExampleProcess("report", ["/nowhere/prices"])
    #expect(try await missing.end() == 1)
    #expect(missing.errors.contains("'/nowhere/prices' cannot be read: No such file or directory"))
  }
}
