import Glibc
import Testing

@testable import ReactiveTrace
import TraceReading

/// Tests the memory use of the process that is recorded at each mark, an instant that the program
/// or the recorder chose.
@Suite struct MarkMemoryTests {
  /// Whether there is a sanitizer; its heap is not that of the C library, which reports nothing
  /// about it.
  private static let isSanitized =
    dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

  /// Allocates memory on the heap and writes to each page.
  private static func fill(_ size: Int) -> UnsafeMutableRawPointer? {
    let memory = malloc(size)
    memory.map { _ = memset($0, 1, size) }
    return memory
  }

  @Test(.disabled(if: isSanitized), arguments: [64 << 20, 64 << 10])
  func memoryAllocatedBetweenTwoMarksIsARise(block: Int) async {
    await #expect(processExitsWith: .success) { [block] in
      try Recording.start()
      let memory = try #require(Recorder.current).pointee.memory
      // A reading that took long because the thread was preempted must not prevent the next one.
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
      // The system counts pages for each processor, and adds the counts up only from time to time.
      let slack = Int64(8 << 20)
      #expect((rise.resident ?? 0) >= size - slack, "\(rise)")
      // The allocator returns small blocks to the system at any time, or never.
      #expect((fall.resident ?? 0) <= (count == 1 ? -size + slack : slack), "\(fall)")
      #expect(marks.allSatisfy { ($0.heapInUse ?? 0) > 1000 && ($0.residentSize ?? 0) > 1 << 20 })
    }
  }

  @Test func automaticMarksRecordMemory() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let recorder = try #require(Recorder.current)
      let site = Recording.site("map")
      recorder.pointee.marks.state.pointee.due = 0
      // Each subscription checks whether a mark is due.
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
      // This pretends that a reading has just been made which took ten seconds.
      memory.note(cost: 10_000_000_000)
      for kind in MarkKind.allCases {
        let reading = memory.read(kind)
        #expect(reading.heapInUse == 0)
        #expect(reading.residentSize > 0)
      }
      // After a reading of a millisecond, the heap is not read again within a tenth of a second, or
      // within a second for an automatic mark.
      memory.note(cost: 1_000_000)
      usleep(200_000)
      #expect(memory.read(.automatic).heapInUse == 0)
      #expect(memory.read(.program).heapInUse > 0)
    }
  }

  @Test func aDescriptorThatTheProgramClosedOrReusedIsLeftAlone() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let memory = try #require(Recorder.current).pointee.memory
      #expect(memory.read(.program).residentSize > 0)
      let own = try #require((3..<64).last { Self.path(of: $0).hasSuffix("/statm") })
      close(own)
      #expect(memory.read(.program).residentSize == 0)
      // A file with similar contents gets the number of the closed descriptor.
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

  /// The path of an open descriptor, or an empty string.
  private static func path(of descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test func memoryIsUnknownInEarlierVersions() throws {
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
    // The text form of the file assembles to the same bytes.
    #expect(try TraceText.assemble(TraceText.dump(TraceReader(path: file.path))) == bytes)
  }

  @Test func impossibleAmountsOfMemoryAreUnknown() throws {
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
    // The expected value is in a variable of type `Int64`, because the compiler would compare a
    // literal expression through a type of another size.
    let fall: Int64 = 2 - (1 << 57)
    #expect(change.heap == fall)
    #expect(change.resident == nil)
    // Extreme values that no trace contains do not overflow either.
    let extremes = MemoryChange(heap: (.max, 0), resident: (0, .max))
    let (least, most) = (-Int64.max, Int64.max)
    #expect(extremes.heap == least && extremes.resident == most)
  }
}
