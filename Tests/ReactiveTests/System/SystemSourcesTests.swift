import Glibc
import Reactive
import ReactiveTesting
import Testing

@Suite struct ReadinessTests {
  @Test func sendsAgainWhileThereIsDataToRead() {
    let pipe = TestPipe()
    pipe.write("abc")
    let seen = Counter()
    let done = Latch()
    let subscription = SerialDisposable()
    subscription.inner = Signal.readable(pipe.reader).subscribe(
      next: {
        var byte: UInt8 = 0
        _ = read(pipe.reader, &byte, 1)
        if seen.add() == 3 { done.signal() }
      },
      failed: { _ in }
    )
    #expect(done.wait())
    #expect(pipe.waiting == 0)
    subscription.dispose()
  }

  @Test func aPipeThatIsFullIsNotWritable() {
    let pipe = TestPipe()
    let room = Latch()
    let chunk = String(repeating: "x", count: 4096)
    for _ in 0..<16 { pipe.write(chunk) }
    let (recorder, _) = Signal.writable(pipe.writingEnd).take(1).doNext { room.signal() }
      .recordedToTheEnd()
    #expect(recorder.values.isEmpty)
    var buffer = [UInt8](repeating: 0, count: 8192)
    _ = read(pipe.reader, &buffer, 8192)
    #expect(room.wait())
  }
}

@Suite struct UnixSignalsTests {
  private static func handler() -> Int {
    var action = sigaction()
    sigaction(SIGUSR1, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
  }

  /// The handler must be installed immediately, since the Unix signal's default action would end
  /// the process.
  @Test func sendsTheNumberFromTheSubscriptionOnAndRestoresTheHandler() async {
    await #expect(processExitsWith: .success) {
      let before = Self.handler()
      let (recorder, got, gotLater) = (Recorder<Int32, SystemFailure>(), Latch(), Latch())
      let one = Signal.unixSignals(SIGUSR1, SIGUSR2).subscribe(
        next: {
          recorder.next($0)
          got.signal()
        },
        failed: { _ in }
      )
      kill(getpid(), SIGUSR1)
      #expect(got.wait())
      #expect(recorder.values == [SIGUSR1])
      let other = Signal.unixSignals(SIGUSR1).subscribe(
        next: { _ in gotLater.signal() },
        failed: { _ in }
      )
      one.dispose()
      #expect(Self.handler() != before)
      kill(getpid(), SIGUSR1)
      // Another thread may handle the signal, after `kill` has returned.
      #expect(gotLater.wait())
      other.dispose()
      #expect(Self.handler() == before)
      #expect(recorder.values == [SIGUSR1])
    }
  }

  @Test func afterDisposalTheUnixSignalHasItsPreviousEffect() async {
    await #expect(processExitsWith: .signal(SIGUSR1)) {
      let subscription = Signal.unixSignals(SIGUSR1).subscribe(next: { _ in }, failed: { _ in })
      subscription.dispose()
      kill(getpid(), SIGUSR1)
      // Another thread may handle the signal, after `kill` has returned.
      _ = Latch().wait()
    }
  }

  /// Disabled under the thread sanitizer, which delays signal handlers, and never runs them in a
  /// forked child of a process with several threads.
  @Test(.disabled(if: dlsym(nil, "__tsan_init") != nil))
  func aSignalToAForkedChildIsNotReportedInThisProcess() async {
    await #expect(processExitsWith: .success) {
      let recorder = Recorder<Int32, SystemFailure>()
      recorder.record(Signal.unixSignals(SIGUSR1))
      // Swift hides `fork`, because few functions are safe in the child.
      typealias Fork = @convention(c) () -> pid_t
      let address = try #require(dlsym(nil, "fork"))
      let child = unsafeBitCast(address, to: Fork.self)()
      if child == 0 {
        // This may be a thread of Dispatch, in which most signals are blocked.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_UNBLOCK, &all, nil)
        kill(getpid(), SIGUSR1)
        while true { pause() }
      }
      var status: Int32 = 0
      #expect(waitpid(child, &status, 0) == child)
      #expect(status & 0x7f == SIGUSR1)
      #expect(recorder.values.isEmpty)
    }
  }

  @Test func aSignalThatCannotBeCaughtFails() {
    let recorder = Recorder<Int32, SystemFailure>()
    recorder.record(Signal.unixSignals(SIGKILL))
    #expect(recorder.failure?.description == "catching 'signal 9' failed: Invalid argument (22)")
  }
}

@Suite struct FileEventsTests {
  static func folder() -> String {
    var template = Array("/tmp/reactive-file-events-XXXXXX".utf8CString)
    return mkdtemp(&template).map { String(cString: $0) } ?? ""
  }

  @Test func sendsTheEventsOfAFolderAndCompletesWhenItIsRemoved() throws {
    let path = Self.folder()
    let file = path + "/some"
    let (recorder, end) = Signal.fileEvents(at: path).recordedToTheEnd()
    // A test runs in a task, so the subscription starts immediately.
    let descriptor = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    write(descriptor, "x", 1)
    close(descriptor)
    unlink(file)
    rmdir(path)
    #expect(end.wait())
    #expect(recorder.isCompleted)
    let kinds = recorder.values.filter { $0.name == "some" }.map(\.kinds)
    #expect(kinds.first == .created)
    #expect(recorder.values.first == FileEvent(.created, name: "some"))
    #expect(kinds.contains(.modified) && kinds.contains(.written))
    #expect(kinds.last == .removed)
    #expect(recorder.values.last?.kinds == .selfDeleted)
    #expect(recorder.values.last?.name == "")
  }

  @Test func onlyTheRequestedEventsAreSent() {
    let path = Self.folder()
    let (recorder, end) = Signal.fileEvents(at: path, .selfDeleted).recordedToTheEnd()
    mkdir(path + "/sub", 0o700)
    rmdir(path + "/sub")
    rmdir(path)
    #expect(end.wait())
    #expect(recorder.values == [FileEvent(.selfDeleted)])
  }

  @Test func movingAFileIsReportedAsCreatedAndRemoved() {
    let path = Self.folder()
    let (recorder, end) = Signal.fileEvents(at: path, [.created, .removed]).recordedToTheEnd()
    mkdir(path + "/a", 0o700)
    rename(path + "/a", path + "/b")
    rmdir(path + "/b")
    rmdir(path)
    #expect(end.wait())
    #expect(
      recorder.values == [
        FileEvent(.created, name: "a"), FileEvent(.removed, name: "a"),
        FileEvent(.created, name: "b"), FileEvent(.removed, name: "b"),
      ]
    )
    #expect(recorder.values.first?.kinds.contains(.created) == true)
    #expect(FileEventKinds.created.rawValue.nonzeroBitCount == 1)
    #expect(FileEventKinds.removed.rawValue.nonzeroBitCount == 1)
  }

  @Test func theDescriptionOfEventKindsContainsTheirNames() {
    #expect("\(FileEventKinds([.lost, .created, .written]))" == "[created, written, lost]")
    #expect("\(FileEventKinds())" == "[]")
  }

  @Test func aPathThatDoesNotExistFails() {
    let (recorder, end) = Signal.fileEvents(at: "/not/there").recordedToTheEnd()
    #expect(end.wait())
    #expect(
      recorder.failure?.description
        == "watching '/not/there' failed: No such file or directory (2)"
    )
  }
}

@Suite struct ProcessExitTests {
  static func spawn(_ script: String) -> pid_t {
    var process: pid_t = 0
    let words = ["sh", "-c", script]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { word in strdup(word) } + [nil]
    posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ)
    for one in arguments { free(one) }
    return process
  }

  @Test func sendsTheStatusOfAChildWithoutReapingIt() {
    let child = Self.spawn("exit 7")
    let (recorder, end) = Signal.processExit(child).recordedToTheEnd()
    #expect(end.wait())
    #expect(recorder.values == [ProcessExit(process: child, reason: .status(7))])
    #expect(recorder.isCompleted)
    var status: Int32 = 0
    #expect(waitpid(child, &status, 0) == child)
  }

  @Test func sendsTheSignalThatEndedTheProcess() {
    let child = Self.spawn("kill -9 $$")
    let (recorder, end) = Signal.processExit(child).recordedToTheEnd()
    #expect(end.wait())
    #expect(recorder.values == [ProcessExit(process: child, reason: .signal(SIGKILL))])
    waitpid(child, nil, 0)
  }

  @Test func aProcessThatDoesNotExistFails() {
    let (recorder, end) = Signal.processExit(Int32.max - 1).recordedToTheEnd()
    #expect(end.wait())
    #expect(recorder.failure?.code == ESRCH)
  }
}
