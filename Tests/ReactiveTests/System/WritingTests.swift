import Glibc
import Reactive
import ReactiveTesting
import Testing

@Suite struct WritingTests {
  @Test func writesAsTheOtherSideReadsAndSendsTheNumberOfBytes() {
    let pipe = TestPipe()
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let (written, writtenEnd) = Signal.writing(bytes, to: pipe.writingEnd).recordedToTheEnd()
    // The bytes are more than a pipe holds, so writing waits.
    #expect(eventually { pipe.waiting >= 60_000 })
    #expect(!written.hasEnded)
    let (read, readEnd) = Signal.bytes(of: pipe.reader).recordedToTheEnd()
    #expect(writtenEnd.wait())
    pipe.closeWriter()
    #expect(readEnd.wait())
    #expect(read.values.flatMap { $0 } == bytes)
    #expect(written.values.last == bytes.count)
    #expect(written.values == written.values.sorted())
    #expect(written.isCompleted)
  }

  @Test func withoutAReaderItFailsAndTheProgramContinues() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [-1, -1]
      precondition(pipe(&ends) == 0)
      close(ends[0])
      let (written, end) = Signal.writing([1, 2, 3], to: ends[1]).recordedToTheEnd()
      #expect(end.wait())
      #expect(written.failure?.code == EPIPE)
    }
  }

  @Test func disposalStopsIt() {
    let pipe = TestPipe()
    let lives = LifeCount()
    let subscription = Signal.writing([UInt8](repeating: 7, count: 1 << 20), to: pipe.writingEnd)
      .subscribe(next: { [token = lives.token()] _ in token.touch() }, failed: { _ in })
    #expect(eventually { pipe.waiting >= 60_000 })
    subscription.dispose()
    #expect(eventually { lives.count == 0 })
  }

  @Test func writingNoBytesWritesNothing() {
    let (recorder, end) = Signal.writing([], to: 1).recordedToTheEnd()
    #expect(end.wait())
    #expect(recorder.values.isEmpty && recorder.isCompleted)
  }

  /// Waiting for the wrong end to become ready would never finish.
  @Test func theWrongEndOfAPipeFailsAtOnce() {
    let pipe = TestPipe()
    let written = Signal.writing([1], to: pipe.reader).recordedToTheEnd()
    let read = Signal.bytes(of: pipe.writingEnd).recordedToTheEnd()
    let lines = Signal.lines(of: pipe.writingEnd).recordedToTheEnd()
    let readable = Signal.readable(pipe.writingEnd).recordedToTheEnd()
    let writable = Signal.writable(pipe.reader).recordedToTheEnd()
    for end in [written.end, read.end, lines.end, readable.end, writable.end] {
      #expect(end.wait())
    }
    #expect(
      written.recorder.failure?.description
        == "writing 'descriptor \(pipe.reader)' failed: Bad file descriptor (9); "
        + "it is open for reading only; the other end of a pipe is for writing"
    )
    #expect(
      read.recorder.failure?.description
        == "reading 'descriptor \(pipe.writingEnd)' failed: Bad file descriptor (9); "
        + "it is open for writing only; the other end of a pipe is for reading"
    )
    let codes = [
      lines.recorder.failure?.code, readable.recorder.failure?.code,
      writable.recorder.failure?.code,
    ]
    #expect(codes == [EBADF, EBADF, EBADF])
  }

  @Test func aClosedDescriptorOrOneForNeitherAccessFailsAtOnce() {
    let path = open("/tmp", 0o10_000_000 | O_CLOEXEC)  // O_PATH
    let (pathRead, pathEnd) = Signal.bytes(of: path).recordedToTheEnd()
    let (closedRead, closedEnd) = Signal.bytes(of: -1).recordedToTheEnd()
    #expect(pathEnd.wait() && closedEnd.wait())
    #expect(pathRead.failure?.code == EBADF)
    #expect(pathRead.failure?.advice.contains("O_PATH") == true)
    #expect(closedRead.failure?.code == EBADF)
    close(path)
  }

  @Test func bothEndsOfASocketCanBeReadAndWritten() {
    var ends: [Int32] = [-1, -1]
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
      let (_, end) = Signal.writing([7], to: from).recordedToTheEnd()
      #expect(end.wait())
      let latch = Latch()
      let seen = Recorder<[UInt8], SystemFailure>()
      Signal.bytes(of: to).take(1).subscribe(
        next: { seen.next($0) },
        failed: { _ in latch.signal() },
        completed: { latch.signal() }
      )
      #expect(latch.wait())
      #expect(seen.values == [[7]])
    }
    for end in ends { close(end) }
  }
}
