import CReactiveTraceShims
import Glibc
import Testing

@testable import ReactiveTrace

/// What the beginning of a recording does to the process that it is in.
@Suite(.serialized) struct StartTests {
  /// Pages that the process has, and those that are in memory.
  static func pages() throws -> (size: Int, resident: Int) {
    let words = try Files.text("/proc/self/statm").split(separator: " ").compactMap { Int($0) }
    return (words[0], words[1])
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

  @Test func whatIsOpenedIsAboveTheStandardFilesAndClosedInChildren() async {
    await #expect(processExitsWith: .success) {
      close(0)
      close(2)
      let folder = OwnDescriptor.open("/dev", O_RDONLY | O_DIRECTORY)
      let file = OwnDescriptor.open(in: folder, "null", O_RDWR)
      for number in [folder, file] {
        #expect(number > 2)
        #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
      }
      #expect(fcntl(0, F_GETFD) == -1 && fcntl(2, F_GETFD) == -1)
      #expect(OwnDescriptor.open("/nowhere/at/all", O_RDONLY) == -1 && errno == ENOENT)
    }
  }
}
