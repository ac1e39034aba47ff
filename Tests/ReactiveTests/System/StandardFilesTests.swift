import Glibc
import Testing

@testable import Reactive

/// No descriptor that the library keeps open becomes a standard stream, even in a program that runs
/// with its standard streams closed.
struct StandardFilesTests {
  @Test func noDescriptorThatIsKeptOpenIsAStandardStream() async {
    await #expect(processExitsWith: .success) {
      for number: Int32 in 0...2 { close(number) }
      let pipe = try #require(OwnedDescriptor.pipe())
      let file = try OwnedDescriptor.open("/dev/null", O_RDWR, for: "reading")
      let copy = try OwnedDescriptor.copy(of: file.number, for: "reading", .reading)
      for descriptor in [pipe.reader, pipe.writer, file, copy] {
        #expect(descriptor.number > 2)
        #expect(fcntl(descriptor.number, F_GETFD) == FD_CLOEXEC)
      }
      // This starts the monitor's thread, which has a pipe.
      let wait = DescriptorMonitor.shared.wait(for: Int16(POLLIN), on: pipe.reader) {}
      DescriptorMonitor.shared.cancel(wait)
      // The system may briefly open other files under these numbers, but no pipe.
      for number: Int32 in 0...2 {
        var status = stat()
        #expect(fstat(number, &status) != 0 || status.st_mode & S_IFMT != S_IFIFO)
      }
    }
  }
}
