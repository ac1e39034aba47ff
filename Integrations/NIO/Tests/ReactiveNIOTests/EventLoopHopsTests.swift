import Foundation
import Testing
import TraceReading

/// Runs a program that is built beside the tests, because which calls are redirected depends on how
/// a program was started.
@Suite struct EventLoopHopsTests {
  private struct Run {
    let status: Int32
    let output: String
  }

  private func run(_ arguments: [String], _ variables: [String: String]) throws -> Run {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process()
    process.executableURL = URL(filePath: bundle).deletingLastPathComponent()
      .appending(path: "nio-hops-program")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .filter { $0.key != "RXTRACE" }.merging(variables) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Run(status: process.terminationStatus, output: String(decoding: text, as: UTF8.self))
  }

  private static let tables = [
    "EmbeddedEventLoop", "NIOAsyncTestingEventLoop", "SelectableEventLoop",
  ]

  private func redirected(_ count: Int) -> String {
    Self.tables.map { "\($0): \(count) entries are redirected\n" }.joined()
      + Self.tables.map { _ in "a table is r--p\n" }.joined()
  }

  @Test func eachWayToScheduleWorkLeadsBackToItsOriginAloneAndUnderOtherHops() throws {
    let path = NSTemporaryDirectory() + "nio-hops-\(UUID()).rxtrace"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try run(["kinds"], ["RXTRACE": "events,size=16M,file=\(path)"])
    #expect(run.status == 0)
    #expect(run.output.hasSuffix(" chains, 0 differ\n"), "\(run.output)")
    let trace = try TraceReader(path: path).snapshot()
    #expect(trace.chains.contains { $0.kind == .eventLoop })
  }

  @Test func tablesAreRedirectedAndReadOnlyAgainIfTheProgramStartsWithARecording() throws {
    let path = NSTemporaryDirectory() + "nio-hops-\(UUID()).rxtrace"
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try run(["tables"], ["RXTRACE": "graph,file=\(path)"]).output == redirected(12))
  }

  @Test(arguments: [
    [:], ["RXTRACE": "0"], ["RXTRACE": "graph,hops=own"], ["RXTRACE": "graph,stacks=off"],
  ])
  func withoutRecordedHopsNoTableIsChanged(variables: [String: String]) throws {
    #expect(try run(["tables"], variables).output == redirected(0))
  }

  @Test func workScheduledByThreadsWhileARecordingBeginsIsDone() throws {
    let run = try run(["threads", "2000"], [:])
    #expect(run.status == 0)
    #expect(run.output == "all was done; 12 entries are redirected\n")
  }
}
