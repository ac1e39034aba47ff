import Foundation
import Glibc
import Reactive
import ReactiveFoundation
import ReactiveTesting
import Testing

@Suite struct ProcessLaunchTests {
  static func shell(_ script: String, input: String? = nil) -> ProcessLaunch {
    ProcessLaunch("sh", ["-c", script], input: input.map { Data($0.utf8) })
  }

  static func text(_ pieces: [ProcessOutput]) -> (output: String, error: String) {
    var result = (output: "", error: "")
    for piece in pieces {
      switch piece {
      case .output(let data): result.output += String(decoding: data, as: UTF8.self)
      case .error(let data): result.error += String(decoding: data, as: UTF8.self)
      }
    }
    return result
  }

  @Test func sendsBothOutputsAndCompletesWithStatusZero() {
    let (inbox, _) = Self.shell("echo out; echo err >&2").output().received()
    #expect(inbox.waitForEnd())
    #expect(Self.text(inbox.values) == ("out\n", "err\n"))
    #expect(inbox.isCompleted)
  }

  @Test func anotherStatusFailsWithArgumentsAndErrorOutput() throws {
    let launch = Self.shell("echo oops >&2; exit 3")
    let (inbox, _) = launch.result().received()
    #expect(inbox.waitForEnd())
    let failure = try #require(inbox.failure)
    #expect(failure.reason == .status(3))
    #expect(failure.launch.arguments == launch.arguments)
    #expect(String(decoding: failure.errorOutput, as: UTF8.self) == "oops\n")
    #expect(failure.description == "'sh -c echo oops >&2; exit 3' ended with status 3: oops")
  }

  @Test func theEndOfALongErrorOutputIsKept() throws {
    let launch = Self.shell("head -c 200000 /dev/zero >&2; echo end >&2; exit 3")
    let (inbox, _) = launch.result().received()
    #expect(inbox.waitForEnd())
    let output = try #require(inbox.failure).errorOutput
    #expect(output.startIndex == 0 && output.count == 65_536)
    #expect(output.suffix(4).elementsEqual("end\n".utf8))
  }

  @Test func eachSubscriptionRunsTheProgramWithItsInputAndEnvironment() {
    var launch = Self.shell("cat; echo $GREETING", input: "in ")
    launch.environment = ["GREETING": "hello", "PATH": "/usr/bin:/bin"]
    for _ in 0..<2 {
      let (inbox, _) = launch.result().received()
      #expect(inbox.waitForEnd())
      #expect(inbox.values.map(\.text) == ["in hello\n"])
    }
  }

  @Test func withoutInputTheProcessReadsAnEmptyFile() {
    for launch in [Self.shell("cat; readlink /proc/self/fd/0"), ProcessLaunch("sh", input: nil)] {
      #expect(launch.input == .empty)
      let (inbox, _) = launch.result().received()
      #expect(inbox.waitForEnd())
      #expect(inbox.values.map(\.text) == [launch.arguments.isEmpty ? "" : "/dev/null\n"])
    }
  }

  @Test func aClosedInputCannotBeRead() {
    let (inbox, _) = ProcessLaunch("cat", input: .closed).output().received()
    #expect(inbox.waitForEnd())
    #expect(inbox.failure?.reason == .status(1))
    #expect(inbox.failure?.description.contains("Bad file descriptor") == true)
  }

  @Test func anInheritedInputIsThatOfThisProcess() throws {
    let (former, file) = (dup(0), URL.temporaryDirectory.appending(path: "input-\(UUID())"))
    try Data("inherited".utf8).write(to: file)
    let descriptor = open(file.path, O_RDONLY)
    #expect(dup2(descriptor, 0) == 0)
    defer {
      if former >= 0 { dup2(former, 0) } else { close(0) }
      for number in [former, descriptor] where number >= 0 { close(number) }
      unlink(file.path)
    }
    let (inbox, _) = ProcessLaunch("cat", input: .inherited).result().received()
    #expect(inbox.waitForEnd())
    #expect(inbox.values.map(\.text) == ["inherited"])
  }

  @Test func moreDataThanAPipeHoldsIsWrittenAndRead() {
    let text = String(repeating: "0123456789", count: 50_000)
    let (inbox, _) = Self.shell("cat", input: text).result().received()
    #expect(inbox.waitForEnd())
    #expect(inbox.values.first?.text == text)
  }

  @Test func aProgramThatDoesNotExistFails() throws {
    let (inbox, _) = ProcessLaunch("/not/there").output().received()
    #expect(inbox.waitForEnd())
    let failure = try #require(inbox.failure)
    #expect(
      failure.description == "'/not/there' could not be started: "
        + "starting '/not/there' failed: No such file or directory (2)"
    )
  }

  @Test func aUnixSignalThatEndedTheProcessIsReported() {
    let (inbox, _) = Self.shell("kill -9 $$").output().received()
    #expect(inbox.waitForEnd())
    #expect(inbox.failure?.reason == .signal(SIGKILL))
  }

  /// A thread that waits for any child process can take the status before the library reads it.
  @Test func aStatusThatAnotherThreadHasCollectedIsReportedAsLost() async {
    await #expect(processExitsWith: .success) {
      let reaper = Thread { while true { if waitpid(-1, nil, 0) < 0 { usleep(10) } } }
      reaper.start()
      for round in 0..<60 {
        let (inbox, _) = ProcessLaunch("true").output().received()
        #expect(inbox.waitForEnd())
        #expect(inbox.isCompleted || inbox.failure?.reason == .lost, "\(round)")
      }
      // The output is available even though the status is not.
      let (inbox, _) = Self.shell("echo out").output().received()
      #expect(inbox.waitForEnd())
      #expect(Self.text(inbox.values).output == "out\n")
    }
  }

  @Test func noOpenDescriptorIsInherited() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let (inbox, _) = Self.shell("ls /proc/$$/fd").result().received()
    #expect(inbox.waitForEnd())
    let numbers = (inbox.values.first?.text ?? "").split(separator: "\n").compactMap { Int32($0) }
    #expect(numbers.count >= 3)
    #expect(!numbers.contains(ends[0]) && !numbers.contains(ends[1]), "\(numbers)")
  }

  // MARK: Disposal

  /// The process ID, which the script prints first.
  private static func process(_ pieces: [ProcessOutput]) -> pid_t {
    pid_t(text(pieces).output.split(separator: "\n").first ?? "") ?? 0
  }

  @Test(arguments: [
    ("echo $$; exec sleep 1000", Duration.seconds(60)),
    // This script ignores `SIGTERM`.
    ("trap '' TERM; echo $$; while :; do :; done", .milliseconds(1)),
  ])
  func disposalEndsTheProcess(script: String, grace: Duration) {
    let (inbox, subscription) = Self.shell(script).output(grace: grace).received()
    #expect(inbox.wait(forValues: 1))
    let process = Self.process(inbox.values)
    #expect(process > 0 && kill(process, 0) == 0)
    subscription.dispose()
    // The process has ended and has been waited for.
    #expect(eventually { kill(process, 0) != 0 && errno == ESRCH })
  }

  @Test func noProcessDescriptorOrClosureIsLeft() async {
    await #expect(processExitsWith: .success) {
      let lives = LifeCount()
      var before = 0
      for round in 0..<4 {
        for script in ["echo a; exit 0", "echo a; exit 1", "echo a; exec sleep 1000"] {
          let (inbox, subscription) = Self.shell(script, input: "unread").output()
            .doNext { [token = lives.token()] _ in token.touch() }.received()
          #expect(inbox.wait(forValues: 1))
          subscription.dispose()
        }
        // Descriptors are counted after the first round, in which Dispatch opens some for timers.
        if round > 0 { continue }
        #expect(eventually { waitpid(-1, nil, WNOHANG) < 0 && errno == ECHILD })
        before = openDescriptors()
      }
      #expect(ProcessLaunch("/not/there").output().received().inbox.waitForEnd())
      #expect(eventually { lives.count == 0 }, "\(lives.count) closures left")
      #expect(eventually { waitpid(-1, nil, WNOHANG) < 0 && errno == ECHILD }, "a process is left")
      #expect(
        eventually(within: 10) { openDescriptors() <= before },
        "\(openDescriptors()) of \(before): \(openFiles())"
      )
    }
  }

  @Test func appearsInATraceWithNamePlaceOwnerAndHops() async {
    await #expect(processExitsWith: .success) {
      let launch = Self.shell("echo a; sleep 0.01; echo b")
      let trace = try TracedBridge.record({ (launch.output(), #line) }) { inbox in
        #expect(inbox.waitForEnd())
      }
      try trace.expect("output", hopsOn: "descriptors")
    }
  }
}
