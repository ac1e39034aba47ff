import Foundation
import Testing

/// The path of `run-loop-program`, which runs the main run loop because tests cannot.
private let program: String? = {
  let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  guard let folder = tests.map({ URL(filePath: $0).deletingLastPathComponent() }) else {
    return nil
  }
  let path = folder.appending(path: "run-loop-program").path
  return FileManager.default.isExecutableFile(atPath: path) ? path : nil
}()

@Suite(.enabled("run-loop-program was not built beside the tests", { program != nil }))
struct MainRunLoopTests {
  @Test(arguments: ["nested-in-block", "nested-at-once"])
  func aHandlerThatRunsTheRunLoopGetsTheNextDelivery(scenario: String) throws {
    #expect(try run(scenario) == "")
  }

  @Test func aConsumerThatSendsToItselfDoesNotStarveTheRunLoop() throws {
    #expect(try run("feeding") == "")
  }

  /// The output of the program, which prints nothing unless a check fails.
  private func run(_ scenario: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: try #require(program))
    process.arguments = [scenario]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    if process.terminationStatus == 0 { return String(decoding: text, as: UTF8.self) }
    return "status \(process.terminationStatus): \(String(decoding: text, as: UTF8.self))"
  }
}
