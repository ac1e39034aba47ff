import CReactiveTraceShims
import Glibc
import Testing

@testable import ReactiveTrace
import TracePlatform

/// The effect of starting a recording on its process.
@Suite(.serialized) struct StartTests {
  /// The number of pages of the process, and of those that are in memory.
  static func pages() throws -> (size: Int, resident: Int) {
    let words = try Files.text("/proc/self/statm").split(separator: " ").compactMap { Int($0) }
    return (words[0], words[1])
  }

  /// Sanitizers need additional address space, without which they end the process or hang.
  private static let isSanitized =
    dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

  @Test(.disabled(if: isSanitized), arguments: [64 << 10, 1 << 20, 3 << 20])
  func aFailedStartReleasesItsMemory(room: Int) async {
    await #expect(processExitsWith: .success) { [room = room as Int] in
      let path = "/tmp/rxtrace-test-\(getpid()).rxtrace"
      var options = TraceOptions()
      options.path = path
      let file = FilePlan(ringSize: options.size).byteCount
      func start() throws -> Bool {
        let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        let before = limit
        limit.rlim_cur = rlim_t(try StartTests.pages().size * 4096 + file + room)
        setrlimit(resource, &limit)
        defer {
          var before = before
          setrlimit(resource, &before)
        }
        return (try? Trace.start(options)) != nil
      }
      _ = try start()
      let before = try StartTests.pages()
      for _ in 0..<20 { #expect(try !start()) }
      let after = try StartTests.pages()
      #expect((after.size - before.size) * 4096 < 1 << 20)
      #expect((after.resident - before.resident) * 4096 < 1 << 20)
      #expect(access(path, F_OK) != 0)
      // With enough room, the recording starts.
      try Trace.start(options)
      #expect(Tracer.isOn)
      unlink(path)
    }
  }

  @Test func theLargestRingTakesNoMoreMemoryThanIsWritten() async {
    await #expect(processExitsWith: .success) {
      let before = try StartTests.pages()
      // Only hops of the library itself are recorded, because reading the tables of all images
      // would bring pages of their files into memory.
      try Recording.start(size: 16 << 30, hops: .own)
      _ = Recording.subscription()
      let after = try StartTests.pages()
      #expect((after.resident - before.resident) * 4096 < 16 << 20)
      var status = stat()
      try #require(stat(try #require(Trace.path), &status) == 0)
      #expect(status.st_size > 16 << 30)
      #expect(status.st_blocks * 512 < 8 << 20)
    }
  }

  @Test func theTraceIsNeverAStandardFileOfTheProgram() async {
    await #expect(processExitsWith: .success) {
      for number: Int32 in 0...2 { close(number) }
      var options = TraceOptions()
      options.mode = .stream
      options.size = 256 << 10
      options.path = "/tmp/rxtrace-test-\(getpid()).rxtrace"
      try Trace.start(options)
      defer { unlink("/tmp/rxtrace-test-\(getpid()).rxtrace") }
      _ = Recording.subscription()
      let recorder = try #require(Recorder.current)
      for number: Int32 in 0...2 {
        #expect(FileIdentity(of: number) != recorder.pointee.details.pointee.identity)
      }
      #expect(try #require(recorder.pointee.tail.readableDescriptor) > 2)
    }
  }

  @Test func ownDescriptorsAreAboveTheStandardOnesAndClosedOnExec() async {
    await #expect(processExitsWith: .success) {
      close(0)
      close(2)
      let folder = OwnDescriptor.open("/dev", O_RDONLY | O_DIRECTORY)
      let file = OwnDescriptor.open(in: folder, "null", O_RDWR)
      for number in [folder, file] {
        #expect(number > 2)
        #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
      }
      let ours = [FileIdentity(of: folder), FileIdentity(of: file)]
      for number: Int32 in [0, 2] { #expect(!ours.contains(FileIdentity(of: number))) }
      #expect(OwnDescriptor.open("/nowhere/at/all", O_RDONLY) == -1 && errno == ENOENT)
    }
  }

  @Test func theOffsetsOfATimeNamespaceAreRead() {
    typealias Offsets = TimeNamespace.Offsets
    #expect(
      Offsets(parsing: "monotonic         -5 500000000\nboottime        1000 20000000\n")
        == Offsets(monotonic: -4_500_000_000, bootTicks: 100_002)
    )
    #expect(Offsets(parsing: "boottime 99999999999999999 0\nmonotonic\n") == Offsets())
  }
}
