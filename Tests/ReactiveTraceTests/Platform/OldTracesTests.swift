import Glibc
import Testing

@testable import ReactiveTrace
import TracePlatform
import TraceReading

/// Tests which files of earlier runs are removed to make room for a new one.
struct OldTracesTests {
  private let directory: TemporaryDirectory
  private let identity: ProcessIdentity

  init() throws {
    directory = try TemporaryDirectory()
    var identity = ProcessIdentity.current()
    identity.programName = "tool"
    self.identity = identity
  }

  private func path(_ name: String) -> String { directory.path + "/" + name }

  private func write(_ name: String, _ bytes: [UInt8], at time: Int = 1) {
    let file = open(path(name), O_CREAT | O_WRONLY, 0o600)
    #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
    close(file)
    let stamp = timespec(tv_sec: time, tv_nsec: 0)
    utimensat(AT_FDCWD, path(name), [stamp, stamp], 0)
  }

  /// A trace that a process with the given number, start and namespace recorded on this boot.
  private func trace(
    of program: String,
    _ process: Int32,
    start: UInt64 = 1,
    namespace: UInt64? = nil
  ) throws -> [UInt8] {
    try TraceText.assemble(
      """
      header processID=\(process) processStart=\(start) programName="\(program)"
      header processNamespace=\(namespace ?? identity.namespace)
      header bootIDHigh=\(identity.bootID.high) bootIDLow=\(identity.bootID.low)
      segment
      """
    )
  }

  private func prune(keep: Int) throws {
    let output = try OutputDirectory(path: directory.path)
    OldTraces(directory: output, identity: identity).prune(named: "tool", keep: keep)
    close(output.descriptor)
  }

  // Process numbers end at about four million, so no process has the numbers used here.

  @Test func onlyTheRequestedNumberOfLatestRecordingsIsKept() throws {
    for index in 1...5 {
      let process = Int32(5_000_000 + index)
      write("tool-\(process)-1.rxtrace", try trace(of: "tool", process), at: 1000 + index)
    }
    // This recording is of another process, which had the same number as this one but another start
    // time.
    write(
      "tool-\(identity.id)-\(identity.start + 100).rxtrace",
      try trace(of: "tool", identity.id, start: identity.start + 100),
      at: 999
    )
    try prune(keep: 3)
    #expect(
      Files.names(in: directory.path) == (3...5).map { "tool-\(5_000_000 + $0)-1.rxtrace" }
    )
    try prune(keep: 0)
    #expect(Files.names(in: directory.path) == [])
  }

  @Test func recordingsOfAnEarlierImageOfThisProcessCount() throws {
    let bytes = try trace(of: "tool", identity.id, start: identity.start)
    write("tool-\(identity.id)-0.rxtrace", bytes)
    write("tool-\(identity.id)-1.rxtrace", bytes, at: 2)
    try prune(keep: 1)
    #expect(Files.names(in: directory.path) == ["tool-\(identity.id)-1.rxtrace"])
  }

  @Test func onlyFinishedRecordingsOfThisProgramAreRemoved() throws {
    write("tool-5000001-1.rxtrace", Array("a diary".utf8))
    write("tool-5000002-1.rxtrace", [])
    write("tool-5000003-1.rxtrace", try trace(of: "another", 5_000_003))
    // Other characters are replaced in file names, so recordings of two programs may have the same
    // name.
    write("tool-5000004-1.rxtrace", try trace(of: "t\u{f6}ol", 5_000_004))
    write("tool-5000005-1.rxtrace", try trace(of: "tool", 5_000_005, namespace: 1))
    // The name of this file contains the number of a process that does not exist, but according to
    // its header the parent of this process is writing it.
    let parent = try #require(SystemProcess.startTime(of: getppid()))
    write("tool-5000006-1.rxtrace", try trace(of: "tool", getppid(), start: parent))
    // This file is cut off before its strings, so that the name of its program is missing.
    write("tool-5000007-1.rxtrace", Array(try trace(of: "tool", 5_000_007).prefix(4096)))
    write("kept", try trace(of: "tool", 5_000_008))
    #expect(symlink("kept", path("tool-5000008-1.rxtrace")) == 0)
    #expect(mkdir(path("tool-5000009-1.rxtrace"), 0o700) == 0)
    defer { rmdir(path("tool-5000009-1.rxtrace")) }
    #expect(mkfifo(path("tool-5000010-1.rxtrace"), 0o600) == 0)
    write("tool-\(identity.id)-\(identity.start).rxtrace", try trace(of: "tool", identity.id))
    write("other-5000001-1.rxtrace", try trace(of: "tool", 5_000_001))
    write("tool-x-5000001-1.rxtrace", try trace(of: "tool", 5_000_001))
    write("tool-notes.txt", try trace(of: "tool", 5_000_001))
    let before = Files.names(in: directory.path)
    write("tool-5000011-1.rxtrace", try trace(of: "tool", 5_000_011))
    try prune(keep: 0)
    #expect(Files.names(in: directory.path) == before)
    #expect(before.count == 15)
  }
}
