import Foundation
import InspectorUI
import Testing

@testable import ReactiveTrace
import TracePlatform
import TraceReading

/// The number of a process refers to the process that has this number now.
///
/// One test maps a trace into this process. The others would take it for the trace that this process
/// writes.
@Suite(.serialized) struct TraceTargetTests {
  /// The path found for a process number in a directory with a single trace.
  ///
  /// A process of this boot with that number, which began at `start`, wrote the trace.
  private func target(_ process: Int32, startedAt start: UInt64, state: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "rxtop-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let boot = SystemProcess.bootID() ?? (0, 0)
    let bytes = try TraceText.assemble(
      """
      header state=\(state) clock=monotonic processID=\(process) processStart=\(start)
      header processNamespace=\(SystemProcess.namespace() ?? 0) bootIDHigh=\(boot.high) bootIDLow=\(boot.low)

      """
    )
    let file = folder.appending(path: "app-\(process)-1.rxtrace")
    try Data(bytes).write(to: file)
    let path = try TraceTarget.path(
      for: "\(process)",
      among: TraceDirectory.list(in: [folder.path]),
      fileExists: { _ in false }
    )
    return path.hasSuffix("app-\(process)-1.rxtrace") ? "the trace" : path
  }

  @Test func aProcessNumberRefersToItsTraceEvenIfRecordingHasStopped() throws {
    let start = try #require(SystemProcess.startTime(of: getpid()))
    #expect(try target(getpid(), startedAt: start, state: "recording") == "the trace")
    #expect(try target(getpid(), startedAt: start, state: "stopped") == "the trace")
  }

  @Test func aProcessNumberNeverRefersToAnEarlierProcess() throws {
    for state in ["recording", "stopped"] {
      let error = #expect(throws: TraceTargetError.self) {
        try target(getpid(), startedAt: 1, state: state)
      }
      let text = error?.description ?? ""
      #expect(text.hasPrefix("process \(getpid()) ('"))
      #expect(text.contains(" is not traced, "))
      #expect(text.hasSuffix("' is the trace of an earlier process of that number"))
    }
  }

  /// The trace may be anywhere, as with `file=` in `RXTRACE`.
  @Test func aTraceIsFoundWhereverTheProcessWritesIt() throws {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "a trace \(UUID().uuidString).rxtrace")
    defer { try? FileManager.default.removeItem(at: file) }
    let boot = SystemProcess.bootID() ?? (0, 0)
    let start = try #require(SystemProcess.startTime(of: getpid()))
    let bytes = try TraceText.assemble(
      """
      header state=recording clock=monotonic processID=\(getpid()) processStart=\(start)
      header processNamespace=\(SystemProcess.namespace() ?? 0) bootIDHigh=\(boot.high) bootIDLow=\(boot.low)

      """
    )
    try Data(bytes).write(to: file)
    let descriptor = open(file.path, O_RDWR)
    defer { close(descriptor) }
    let memory = mmap(nil, bytes.count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    defer { munmap(memory, bytes.count) }
    let path = try TraceTarget.path(for: "\(getpid())", among: [], fileExists: { _ in false })
    #expect(path == file.path)
  }

  @Test func withoutAProcessTheNumberRefersToTheLatestTrace() throws {
    // The kernel numbers processes up to 2^22, so no process has this number.
    #expect(try target(1 << 23, startedAt: 1, state: "recording") == "the trace")
  }
}
