import Glibc
import Testing

@testable import ReactiveTrace
import TraceReading

/// What marks say of the memory of the process.
@Suite struct MarkMemoryTests {
  /// A sanitizer has a heap of its own, of which the C library does not tell.
  private static let isSanitized =
    dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

  /// Memory of the heap, each page written to.
  private static func fill(_ size: Int) -> UnsafeMutableRawPointer? {
    let memory = malloc(size)
    memory.map { _ = memset($0, 1, size) }
    return memory
  }

  @Test(.disabled(if: isSanitized), arguments: [64 << 20, 64 << 10])
  func whatIsAllocatedBetweenTwoMarksIsARise(block: Int) async {
    await #expect(processExitsWith: .success) { [block] in
      try Recording.start()
      let memory = try #require(Recorder.current).pointee.memory
      // A reading during which the thread was held up is not to keep the next from being made.
      func mark(_ name: String) {
        memory.note(cost: 0)
        Trace.mark(name)
      }
      let count = (64 << 20) / block
      mark("before")
      let blocks = (0..<count).map { _ in Self.fill(block) }
      mark("full")
      for block in blocks { free(block) }
      mark("freed")
      let marks = try Recording.snapshot().marks.filter { $0.kind == .program }
      try #require(marks.map(\.name) == ["before", "full", "freed"])
      let rise = marks[1].memoryChange(since: marks[0])
      let fall = marks[2].memoryChange(since: marks[1])
      let size = Int64(64 << 20)
      #expect((rise.heap ?? 0) >= size && (rise.heap ?? 0) < size + size / 4, "\(rise)")
      #expect((fall.heap ?? 0) <= -size, "\(fall)")
      // The system counts for each processor, and adds up now and then.
      let slack = Int64(8 << 20)
      #expect((rise.resident ?? 0) >= size - slack, "\(rise)")
      // Small blocks go back to the system when the allocator likes.
      #expect((fall.resident ?? 0) <= (count == 1 ? -size + slack : slack), "\(fall)")
      #expect(marks.allSatisfy { ($0.heapInUse ?? 0) > 1000 && ($0.residentSize ?? 0) > 1 << 20 })
    }
  }

  @Test func automaticMarksSayIt() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let recorder = try #require(Recorder.current)
      let site = Recording.site("map")
      recorder.pointee.marks.state.pointee.due = 0
      // A subscription asks whether a mark is due as soon as one may be.
      for _ in 0..<1000 where try Recording.snapshot().marks.isEmpty {
        _ = Tracer.subscribed(site: site, signal: .none, downstream: .none)
        usleep(1000)
      }
      let mark = try #require(try Recording.snapshot().marks.first)
      #expect(mark.kind == .automatic)
      #expect((mark.residentSize ?? 0) > 1 << 20)
      #expect((mark.heapInUse != nil) == !Self.isSanitized)
    }
  }

  @Test(.disabled(if: isSanitized)) func aHeapThatTakesLongIsNotReadAgainAtOnce() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let memory = try #require(Recorder.current).pointee.memory
      #expect(memory.read(.program).heapInUse > 0)
      // Ten seconds, as if it were read just now.
      memory.note(cost: 10_000_000_000)
      for kind in MarkKind.allCases {
        let reading = memory.read(kind)
        #expect(reading.heapInUse == 0)
        #expect(reading.residentSize > 0)
      }
      // A millisecond: not again within a tenth of a second, nor within one at an automatic mark.
      memory.note(cost: 1_000_000)
      usleep(200_000)
      #expect(memory.read(.automatic).heapInUse == 0)
      #expect(memory.read(.program).heapInUse > 0)
    }
  }

  @Test func aDescriptorThatTheProgramHasClosedOrTakenIsLeftAlone() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let memory = try #require(Recorder.current).pointee.memory
      #expect(memory.read(.program).residentSize > 0)
      let own = try #require((3..<64).last { Self.path(of: $0).hasSuffix("/statm") })
      close(own)
      #expect(memory.read(.program).residentSize == 0)
      // Another file of the same form, under its number.
      let file = try TemporaryFile(Array("100 200 300 4 0 5 0\n".utf8))
      let other = open(file.path, O_RDONLY)
      #expect(dup2(other, own) == own)
      Trace.mark("taken")
      memory.close()
      #expect(fcntl(own, F_GETFD) != -1)
      let marks = try Recording.snapshot().marks.filter { $0.kind == .program }
      #expect(marks.map(\.residentSize) == [nil])
    }
  }

  @Test func aChildKeepsNoDescriptorOfItsParent() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let own = try #require((3..<64).last { Self.path(of: $0).hasSuffix("/statm") })
      #expect(try inChild { fcntl(own, F_GETFD) == -1 ? 0 : 1 } == 0)
      #expect(fcntl(own, F_GETFD) & FD_CLOEXEC != 0)
    }
  }

  /// What a descriptor is open for, or nothing.
  private static func path(of descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test func thoseOfEarlierVersionsAreNotKnown() throws {
    let text = """
      header minorVersion=5
      region marks entrySize=64 capacity=4
      mark ticks=100 name="a"
      mark ticks=200 name="b" since=100
      """
    let bytes = try TraceText.assemble(text)
    let file = try TemporaryFile(bytes)
    let snapshot = try TraceReader(path: file.path).snapshot()
    #expect(snapshot.problems == [])
    #expect(snapshot.marks.map(\.name) == ["a", "b"])
    #expect(snapshot.marks.allSatisfy { $0.heapInUse == nil && $0.residentSize == nil })
    #expect(snapshot.marks[1].memoryChange(since: snapshot.marks[0]).isUnknown)
    // The text form makes the same file of it.
    #expect(try TraceText.assemble(TraceText.dump(TraceReader(path: file.path))) == bytes)
  }

  @Test func whatNoProcessHasIsNotKnown() throws {
    let huge = "18446744073709551615"
    let file = try TemporaryFile(
      try TraceText.assemble(
        """
        mark ticks=100 heapInUse=144115188075855871 residentSize=\(huge)
        mark ticks=200 heapInUse=1 residentSize=4096 since=100
        mark ticks=300 heapInUse=\(huge) since=200
        """
      )
    )
    let snapshot = try TraceReader(path: file.path).snapshot()
    #expect(snapshot.marks.map(\.heapInUse) == [(1 << 57) - 1, 1, nil])
    #expect(snapshot.marks.map(\.residentSize) == [nil, 4096, nil])
    #expect(snapshot.problems.count == 2)
    let change = snapshot.marks[1].memoryChange(since: snapshot.marks[0])
    // Not as an expression of literals, which the compiler compares through a type of another size.
    let fall: Int64 = 2 - (1 << 57)
    #expect(change.heap == fall)
    #expect(change.resident == nil)
    // Also of values made by hand, nothing overflows.
    let extremes = MemoryChange(heap: (.max, 0), resident: (0, .max))
    let (least, most) = (-Int64.max, Int64.max)
    #expect(extremes.heap == least && extremes.resident == most)
  }
}
