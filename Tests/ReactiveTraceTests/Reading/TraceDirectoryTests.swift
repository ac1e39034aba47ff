import Glibc
import Testing

@testable import ReactiveTrace
import TracePlatform
import TraceReading

@Suite struct TraceDirectoryTests {
  @Test func listsRunningProcessesFirstAndThenTheLatest() throws {
    let folder = try TraceFolder()
    let own = getpid()
    let start = try #require(SystemProcess.startTime(of: own))
    try folder.add(
      "a.rxtrace",
      try TraceText.assemble(try TraceFolder.header(process: own, start: start &+ 100, at: 30))
    )
    try folder.add(
      "b.rxtrace",
      try TraceText.assemble(try TraceFolder.header(process: own, start: start, at: 10))
    )
    try folder.add(
      "c.rxtrace",
      try TraceText.assemble(try TraceFolder.header(process: own, start: start &+ 2, at: 50))
    )
    try folder.add("d.rxtrace", [1, 2, 3])
    try folder.add(
      "e.txt",
      try TraceText.assemble(try TraceFolder.header(process: own, start: start, at: 99))
    )

    let entries = TraceDirectory.list(in: [folder.path, "/nowhere", folder.path])
    #expect(entries.map { $0.path.suffix(9) } == ["b.rxtrace", "c.rxtrace", "a.rxtrace"])
    #expect(entries.map(\.status) == [.running, .died, .died])
    #expect(entries.allSatisfy { $0.header.programName == "program" && $0.byteCount > 4096 })
    #expect(entries.allSatisfy { $0.modified > 1_600_000_000_000_000_000 })
    #expect(TraceDirectory.path(forProcess: own, in: [folder.path])?.hasSuffix("b.rxtrace") == true)
    #expect(TraceDirectory.path(forProcess: 1, in: [folder.path]) == nil)
  }

  @Test func searchesTheDirectoriesThatARecorderUses() {
    let user = getuid()
    let places = TraceDirectory.candidates { name in
      ["RXTRACE_DIR": "/a", "XDG_RUNTIME_DIR": "/run/user/7"][name]
    }
    #expect(
      places == ["/a", "/run/user/7/rxtrace", "/dev/shm/rxtrace-\(user)", "/tmp/rxtrace-\(user)"]
    )
    #expect(TraceDirectory.candidates { _ in nil }.count == 2)
    #expect(TraceDirectory.candidates { _ in "" }.count == 2)
  }

  @Test func reportsTheStatusOfAProcess() throws {
    var header = TraceHeader()
    header.state = .recording
    header.processID = getpid()
    header.processStart = try #require(SystemProcess.startTime(of: getpid()))
    header.processNamespace = try #require(SystemProcess.namespace())
    header.bootID = try #require(SystemProcess.bootID())
    #expect(ProcessStatus(of: header) == .running)
    header.processStart &+= 100
    #expect(ProcessStatus(of: header) == .died)
    header.processID = -5
    #expect(ProcessStatus(of: header) == .died)
    header.bootID.low ^= 1
    #expect(ProcessStatus(of: header) == .elsewhere)
    header.state = .stopped
    #expect(ProcessStatus(of: header) == .stopped)
  }

  @Test func aZombieHasEnded() throws {
    var child = pid_t()
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
    defer { free(arguments[0]) }
    try #require(posix_spawn(&child, "/bin/true", nil, nil, arguments, nil) == 0)
    // The process has ended, but is a zombie until it is waited for, so its number is still in use.
    var info = siginfo_t()
    try #require(waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) == 0)
    #expect(SystemProcess.startTime(of: child) == nil)
    var status: Int32 = 0
    waitpid(child, &status, 0)
  }
}
