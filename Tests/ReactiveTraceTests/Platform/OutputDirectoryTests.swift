import Glibc
import Testing

@testable import ReactiveTrace
import TracePlatform
import TraceReading

/// Tests where the file of a recording is created, and the messages if that fails.
@Suite(.serialized) struct OutputDirectoryTests {
  /// Runs a process with `RXTRACE=value` and `RXTRACE_DIR=directory`, and returns what it writes to
  /// standard error.
  private func run(_ value: String, directory: String) async -> String {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [directory = directory as String, value = value as String] in
      setenv("RXTRACE", value, 1)
      setenv("RXTRACE_DIR", directory, 1)
      #expect(!Tracer.isOn)
      #expect(Recording.subscription() == .none)
    }
    return String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  private func expectOneLine(_ text: String, _ parts: String...) {
    #expect(text.hasPrefix("rxtrace: '"))
    #expect(text.filter { $0 == "\n" }.count == 1)
    for part in parts { #expect(text.contains(part), "\(text)") }
  }

  @Test func saysThatADirectoryIsMissing() async {
    let text = await run("1", directory: "/nowhere/at/all")
    expectOneLine(text, "'/nowhere/at/all'", "No such file or directory", "set RXTRACE_DIR")
  }

  @Test func saysThatAFileSystemIsReadOnly() async {
    let text = await run("1", directory: "/proc/sys/traces")
    expectOneLine(text, "'/proc/sys/traces': cannot be made", "set RXTRACE_DIR")
  }

  @Test func doesNotFollowLinks() async throws {
    let directory = try TemporaryDirectory()
    #expect(symlink("/tmp", directory.path + "/link") == 0)
    expectOneLine(await run("1", directory: directory.path + "/link"), "set RXTRACE_DIR")
  }

  @Test func doesNotUseADirectoryThatOthersMayChange() async throws {
    let directory = try TemporaryDirectory()
    chmod(directory.path, 0o777)
    expectOneLine(await run("1", directory: directory.path), "may be changed by another user")
    #expect(Files.names(in: directory.path) == [])
  }

  @Test func saysThatFilesMayNotBeSoLarge() async throws {
    let directory = try TemporaryDirectory()
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [path = directory.path as String] in
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      setenv("RXTRACE", "size=256K", 1)
      setenv("RXTRACE_DIR", path, 1)
      #expect(!Tracer.isOn)
    }
    expectOneLine(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self), "ulimit -f")
    #expect(Files.names(in: directory.path) == [])
  }

  /// This test needs permission to mount a small file system.
  ///
  /// The test above covers the same code without that permission.
  @Test(.enabled(if: geteuid() == 0, "only root may mount a file system to fill"))
  func saysThatTheDiskIsFull() async throws {
    let directory = try TemporaryDirectory()
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [path = directory.path as String] in
      typealias Unshare = @convention(c) (Int32) -> Int32
      let symbol = try #require(dlsym(nil, "unshare"))
      let newNamespace: Int32 = 0x0002_0000
      try #require(unsafeBitCast(symbol, to: Unshare.self)(newNamespace) == 0)
      let isPrivate = mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil)
      try #require(isPrivate == 0)
      try #require(mount("none", path, "tmpfs", 0, "size=32k,mode=700") == 0)
      setenv("RXTRACE", "size=256K", 1)
      setenv("RXTRACE_DIR", path, 1)
      #expect(!Tracer.isOn)
      #expect(Files.names(in: path) == [], "nothing is left behind")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    expectOneLine(text, "No space left on device", "set RXTRACE_DIR")
  }

  @Test func putsTheTraceOfAnEarlierImageOfTheSameProcessAside() throws {
    let directory = try TemporaryDirectory()
    let output = try OutputDirectory(path: directory.path)
    defer { close(output.descriptor) }
    let name = TraceFileName(program: "tool", process: 12, start: 345)
    let first = try output.create(name)
    #expect(write(first, "first", 5) == 5)
    close(first)
    close(try output.create(name))
    #expect(Files.names(in: directory.path) == ["tool-12-0.rxtrace", "tool-12-345.rxtrace"])
    #expect(try Files.text(directory.path + "/tool-12-0.rxtrace") == "first")
    #expect(try Files.text(directory.path + "/tool-12-345.rxtrace") == "")
    close(try output.create(name))
    #expect(Files.names(in: directory.path).count == 3)
    #expect(try Files.text(directory.path + "/tool-12-0.rxtrace") == "first")
    #expect(try Files.text(directory.path + "/tool-12-1.rxtrace") == "")
  }

  @Test func replacesAnEarlierTraceOfTheSameName() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/named.rxtrace"
    for _ in 0..<2 {
      await #expect(processExitsWith: .success) { [path = path as String] in
        try Recording.start(size: 256 << 10, path: path)
        _ = Recording.subscription()
      }
    }
    let header = try TraceReader(path: path).header()
    #expect(header.lastSerial == 2)
  }

  @Test func leavesOtherFilesAlone() async throws {
    let file = try TemporaryFile(Array("a diary".utf8))
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let error = #expect(throws: TraceError.self) {
        try Trace.start(Recording.options(path: path))
      }
      #expect(error?.path == path)
      #expect(error?.message.contains("not a trace of yours") == true)
    }
    #expect(try Files.text(file.path) == "a diary")
  }

  @Test func leavesATraceThatIsBeingWrittenAlone() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try Recording.start(path: path + "/live.rxtrace")
      let plan = FilePlan(ringSize: 256 << 10)
      #expect(plan.byteCount > 0)
      var options = TraceOptions()
      options.path = Trace.path
      let error = #expect(throws: TraceError.self) {
        try MappedFile.create(options, ProcessIdentity.current())
      }
      #expect(error?.message.contains("being written by a running process") == true)
    }
  }

  @Test func prefersMemoryToDisk() async {
    await #expect(processExitsWith: .success) {
      unsetenv("RXTRACE_DIR")
      unsetenv("XDG_RUNTIME_DIR")
      let small = OutputDirectory.candidates(size: 1 << 20)
      #expect(small.map(\.path) == ["/dev/shm/rxtrace-\(geteuid())", "/tmp/rxtrace-\(geteuid())"])
      #expect(small.map(\.note.isEmpty) == [true, false])
      // No machine has this much space.
      let huge = OutputDirectory.candidates(size: 1 << 60)
      #expect(huge.map(\.path) == ["/tmp/rxtrace-\(geteuid())"])
      setenv("XDG_RUNTIME_DIR", "/tmp", 1)
      #expect(OutputDirectory.candidates(size: 1 << 20).first?.path == "/tmp/rxtrace")
      setenv("RXTRACE_DIR", "traces", 1)
      let chosen = OutputDirectory.candidates(size: 1 << 20)
      #expect(chosen.count == 1 && chosen[0].path.hasPrefix("/") && !chosen[0].isOptional)
      #expect(chosen[0].path.hasSuffix("/traces"))
    }
  }
}
