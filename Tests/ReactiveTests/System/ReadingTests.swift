import Glibc
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing

@Suite struct ReadingTests {
  @Test func sendsArrivingDataAndCompletesAtTheEndOfThePipe() {
    let pipe = TestPipe()
    let first = Latch()
    let (recorder, end) = Signal.bytes(of: pipe.reader).doNext { _ in first.signal() }
      .recordedToTheEnd()
    pipe.write("abc")
    #expect(first.wait())
    pipe.write("de")
    pipe.closeWriter()
    #expect(end.wait())
    #expect(recorder.values.flatMap { $0 } == Array("abcde".utf8))
    #expect(recorder.values.first == Array("abc".utf8))
    #expect(recorder.isCompleted)
  }

  @Test(arguments: ["/proc/self/status", "/dev/null", #filePath])
  func filesOfEveryKindAreReadToTheirEnd(path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let (recorder, end) = Signal.bytes(of: file, atMost: 100).recordedToTheEnd()
    #expect(end.wait())
    #expect(recorder.isCompleted)
    #expect(recorder.values.allSatisfy { $0.count <= 100 })
    #expect(recorder.values.isEmpty == (path == "/dev/null"))
    if path == #filePath {
      let text = String(decoding: recorder.values.flatMap { $0 }, as: UTF8.self)
      #expect(text.contains("filesOfEveryKindAreReadToTheirEnd"))
    }
  }

  @Test func theNextPieceIsReadWhenTheOneBeforeHasBeenHandled() {
    let pipe = TestPipe()
    pipe.write("abcdef")
    let (entered, leave, done) = (Latch(), Latch(), Latch())
    Signal.bytes(of: pipe.reader, atMost: 2).subscribe(
      next: { _ in
        entered.signal()
        #expect(leave.wait())
      },
      completed: { done.signal() }
    )
    #expect(entered.wait())
    #expect(pipe.waiting == 4)
    leave.signal()
    pipe.closeWriter()
    #expect(done.wait())
    #expect(pipe.waiting == 0)
  }

  @Test func linesAreNeverSplitHoweverTheDataArrives() {
    let pipe = TestPipe()
    let first = Latch()
    let (recorder, end) = Signal.lines(of: pipe.reader).doNext { _ in first.signal() }
      .recordedToTheEnd()
    pipe.write("one\ntw")
    #expect(first.wait())
    pipe.write("o\r\n\n")
    pipe.write("last\r")
    pipe.closeWriter()
    #expect(end.wait())
    // A carriage return is removed only before a line feed.
    #expect(recorder.values == ["one", "two", "", "last\r"])
    #expect(recorder.isCompleted)
  }

  @Test func aLineThatIsTooLongFailsWithAdvice() {
    let pipe = TestPipe()
    let (recorder, end) = Signal.lines(of: pipe.reader, longest: 4).recordedToTheEnd()
    pipe.write("1234\n12345")
    #expect(end.wait())
    #expect(recorder.values == ["1234"])
    #expect(recorder.failure?.code == EMSGSIZE)
    #expect(recorder.failure?.description.contains("a line has more than 4 bytes; read it") == true)
  }

  @Test func theEndOfALineDoesNotCountAsPartOfIt() {
    let pipe = TestPipe()
    let (recorder, end) = Signal.lines(of: pipe.reader, longest: 4).recordedToTheEnd()
    pipe.write("1234\r\n5678\n12345\r\n")
    #expect(end.wait())
    #expect(recorder.values == ["1234", "5678"])
    #expect(recorder.failure?.code == EMSGSIZE)
  }

  @Test func anUnreadableFileFailsWithTheReason() {
    let (recorder, end) = Signal.bytes(of: -1).recordedToTheEnd()
    #expect(end.wait())
    #expect(
      recorder.failure?.description
        == "reading 'descriptor -1' failed: Bad file descriptor (9)"
    )
    let folder = open("/", O_RDONLY | O_CLOEXEC)
    defer { close(folder) }
    let (second, secondEnd) = Signal.bytes(of: folder).recordedToTheEnd()
    #expect(secondEnd.wait())
    #expect(second.failure?.code == EISDIR)
  }

  // MARK: Leaks

  @Test func nothingIsHeldHoweverItEnds() async {
    await #expect(processExitsWith: .success) {
      let lives = LifeCount()
      let source = TestPipe()
      // This starts the monitor's thread, which opens descriptors, before descriptors are counted.
      let warm = Signal.readable(source.reader).subscribe { _ in }
      warm.dispose()
      let before = openDescriptors()
      for round in 0..<30 {
        let pipe = TestPipe()
        let first = Latch()
        let subscription = Signal.bytes(of: pipe.reader).take(round % 3 == 0 ? 1 : 100).subscribe(
          next: { [token = lives.token()] _ in
            token.touch()
            first.signal()
          },
          failed: { _ in }
        )
        pipe.write("x")
        #expect(first.wait())
        if round % 3 == 1 { subscription.dispose() } else { pipe.closeWriter() }
      }
      #expect(eventually { lives.count == 0 }, "\(lives.count) left")
      #expect(eventually { openDescriptors() <= before }, "\(openDescriptors()), \(before) before")
    }
  }

  @Test func readingContinuesWhenTheDescriptorIsClosed() {
    let pipe = TestPipe()
    let own = dup(pipe.reader)
    let (recorder, end) = Signal.bytes(of: own).subscribe(on: .background).recordedToTheEnd()
    pipe.write("x")
    #expect(eventually { recorder.count == 1 })
    close(own)
    pipe.write("y")
    pipe.closeWriter()
    #expect(end.wait())
    #expect(recorder.values.flatMap { $0 } == Array("xy".utf8))
  }
}
