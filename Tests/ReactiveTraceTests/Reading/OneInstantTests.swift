import CReactiveTraceShims
import Glibc
import ReactiveTrace
import Testing
import TraceReading

/// A snapshot of a file that is being written shows its state at one instant, although its segments
/// are read one after another.
@Suite struct OneInstantTests {
  /// Reads a trace that has the current boot ID, so that the reader assumes that a process may
  /// still be writing it.
  private func read(_ header: String, _ segments: String) throws -> TraceSnapshot {
    let digits = try Files.text("/proc/sys/kernel/random/boot_id").filter(\.isHexDigit)
    let (high, low) = (digits.prefix(16), digits.suffix(16))
    let text = "header bootIDHigh=0x\(high) bootIDLow=0x\(low) \(header)\n" + segments
    let file = try TemporaryFile(try TraceText.assemble(text))
    return try TraceReader(path: file.path).snapshot()
  }

  @Test func segmentsHandedOutDuringAReadAreLeftForTheNextRead() throws {
    // During the read, the thread filled the first segment and continued in the second.
    let segments = """
      segment thread=1 epoch=1
        +1 next subscription=1 sequence=1
      segment thread=1 epoch=2
        +9 next subscription=1 sequence=9
      """
    let early = try read("lastEpoch=1", segments)
    #expect(early.records.map(\.argument) == [1])
    #expect(early.problems == [])
    let late = try read("lastEpoch=2", segments)
    #expect(late.records.map(\.argument) == [1, 9])
  }

  @Test func recordsWrittenDuringAReadAreLeftForTheNextRead() throws {
    let later = rxt_monotonic_ns() + 3_600_000_000_000
    let segments = """
      segment thread=1
        +1 next subscription=1 sequence=1
      segment thread=2
        +1 next subscription=2 sequence=1
        +\(later) signal-created signal=3 site=0 upstream=0 serial=7
        +\(later) next subscription=1 sequence=2
      """
    #expect(try read("clock=0", segments).records.map(\.kind) == [.next, .next])
    // Once the recording has been stopped (state 2), no record is left for the next read.
    #expect(try read("clock=0 state=2", segments).records.count == 4)
  }

  /// A thread may be preempted while it is writing the clock readings, for longer than a reader
  /// goes on retrying.
  @Test func halfWrittenClockReadingsAreNotAProblemWhileTheProcessRuns() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      _ = Recording.subscription()
      let path = try #require(Trace.path)
      let file = open(path, O_WRONLY)
      let offset = off_t(Layout.FileHeader.latestSequence.offset)
      #expect(pwrite(file, [7 as UInt8], 1, offset) == 1)
      #expect(try Recording.snapshot().problems == [])
      #expect(pwrite(file, [8 as UInt8], 1, offset) == 1)
      close(file)
    }
  }

  @Test func recordsAreReadByTheFirstUpdateAfterTheyAreWritten() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let id = Recording.subscription()
      let reader = try TraceReader(path: try #require(Trace.path))
      var followed = try reader.snapshot()
      for round in 1...50 {
        Tracer.tick()
        Tracer.next(id)
        try reader.update(&followed)
        #expect(followed.records(.next).count == round)
      }
    }
  }
}
