import Glibc
import Reactive
import ReactiveTesting
import Testing

@Suite struct WritingTests {
  @Test func writesAsTheOtherSideReadsAndTellsHowMuch() {
    let pipe = TestPipe()
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let (written, writtenEnd) = Signal.writing(bytes, to: pipe.writingEnd).recordedToTheEnd()
    // More than a pipe holds: it waits.
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

  @Test func whereNobodyReadsItFailsAndTheProgramGoesOn() async {
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

  @Test func nothingIsWrittenForNoBytes() {
    let (recorder, end) = Signal.writing([], to: 1).recordedToTheEnd()
    #expect(end.wait())
    #expect(recorder.values.isEmpty && recorder.isCompleted)
  }
}
