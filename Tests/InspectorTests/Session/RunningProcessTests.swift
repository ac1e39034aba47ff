import Glibc
import InspectorUI
import Testing

@Suite struct RunningProcessTests {
  @Test func thisProcessBelongsToTheUser() throws {
    let process = try #require(RunningProcess.find(getpid()))
    #expect(!process.isOfAnotherUser)
    #expect(try #require(process.name).isEmpty == false)
    #expect(process.name?.contains("\n") == false)
  }

  @Test func theFirstProcessBelongsToAnotherUserUnlessRunAsRoot() throws {
    let process = try #require(RunningProcess.find(1))
    var status = stat()
    let isOwn = geteuid() == 0 || (stat("/proc/1", &status) == 0 && status.st_uid == geteuid())
    #expect(process.isOfAnotherUser == !isOwn)
  }

  @Test(arguments: [0, -1, 1 << 23, Int32.max, Int32.min])
  func aNumberWithoutAProcessIsNotFound(process: Int32) {
    #expect(RunningProcess.find(process) == nil)
  }
}
