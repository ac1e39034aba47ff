import Glibc
import Testing
import TraceReading

/// Damages a good trace in every region and reads it: the reading must end, and must not crash.
///
/// Run these tests with the address sanitizer as well:
/// `swift test --sanitize=address --filter RobustnessTests`.
@Suite struct RobustnessTests {
  private static let rounds = 3000

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func survivesDamageAnywhere(seed: UInt64) throws {
    let good = try Fixture.named("whole").bytes()
    // Only these bytes have a meaning: damage to others would test nothing.
    let places = good.indices.filter { good[$0] != 0 }.flatMap { [$0 - 1, $0, $0 + 1] }
      .filter { good.indices.contains($0) }
    let file = try TemporaryFile(good)
    var random = Random(seed: seed)
    var unharmed = 0
    var refused = 0
    for round in 0..<Self.rounds / 4 {
      var damaged: [Int: UInt8] = [:]
      for _ in 0...random.next(below: 6) {
        let place = places[Int(random.next(below: UInt64(places.count)))]
        for offset in 0..<Int(1 << random.next(below: 4)) where place + offset < good.count {
          damaged[place + offset] = interestingByte(&random)
        }
      }
      for (place, byte) in damaged { try file.overwrite([byte], at: place) }
      do throws(TraceError) {
        let reader = try TraceReader(path: file.path)
        var snapshot = try reader.snapshot()
        try reader.update(&snapshot)
        check(snapshot, round)
        if snapshot.problems.isEmpty { unharmed += 1 }
        if round % 8 == 0 { #expect(!TraceText.dump(reader).isEmpty) }
      } catch {
        #expect(!error.message.isEmpty)
        refused += 1
      }
      for place in damaged.keys { try file.overwrite([good[place]], at: place) }
    }
    // The damage has to reach the reader: fewer than half of the files may be refused, and fewer
    // than half may seem unharmed.
    #expect(refused < Self.rounds / 8 && unharmed < Self.rounds / 8)
    let intact = try TraceReader(path: file.path).snapshot()
    #expect(intact.problems.isEmpty && intact.records.count == 11)
  }

  @Test func survivesTruncationAnywhere() throws {
    let good = try Fixture.named("whole").bytes()
    var random = Random(seed: 99)
    let file = try TemporaryFile(good)
    var lengths = (0..<300).map { _ in Int(random.next(below: UInt64(good.count))) }
    lengths += (0..<300).map { _ in good.count - Int(random.next(below: 1500)) }
    lengths += (0..<64).map { 4096 + $0 * 5 }
    for length in lengths.sorted(by: >) {
      try file.write(Array(good[..<length]))
      do throws(TraceError) {
        let snapshot = try TraceReader(path: file.path).snapshot()
        check(snapshot, length)
        #expect(length == good.count || !snapshot.problems.isEmpty, "cut to \(length)")
      } catch {
        #expect(length < 4096, "cut to \(length): \(error)")
      }
    }
  }

  @Test func aSlabOfHolesTakesNoMemory() throws {
    let (file, start) = try traceWithHoles(.slab, count: 8192, size: 65536)
    let before = try residentBytes()
    let snapshot = try TraceReader(path: file.path).snapshot()
    #expect(snapshot.slots.isEmpty && snapshot.header.regions[.slab]?.readable == 8192)
    #expect(snapshot.header.regions[.slab]?.offset == UInt64(start))
    #expect(try residentBytes() - before < 256 << 20)
    withExtendedLifetime(snapshot) {}
  }

  @Test(arguments: [RegionKind.strings, .stacks])
  func aHeapOfHolesTakesNoMoreMemoryThanItsBytes(_ kind: RegionKind) throws {
    let (file, _) = try traceWithHoles(kind, count: 64 << 20, size: 1)
    let before = try residentBytes()
    let snapshot = try TraceReader(path: file.path).snapshot()
    #expect(try residentBytes() - before < 256 << 20)
    withExtendedLifetime(snapshot) {}
  }

  /// A good trace whose region of `kind` is replaced by a new one: a hole after the trace's end.
  private func traceWithHoles(
    _ kind: RegionKind,
    count: Int,
    size: Int
  ) throws -> (file: TemporaryFile, start: Int) {
    var bytes = try Fixture.named("whole").bytes()
    let start = (bytes.count + 4095) / 4096 * 4096
    typealias Region = Layout.Region
    let row = Layout.FileHeader.regions + kind.rawValue * Region.byteCount
    bytes.withUnsafeMutableBytes { bytes in
      let region = UnsafeMutableRawBufferPointer(rebasing: bytes[row..<(row + Region.byteCount)])
      guard let base = region.baseAddress else { return }
      base.storeBytes(of: UInt64(start), toByteOffset: Region.offset.offset, as: UInt64.self)
      base.storeBytes(of: UInt64(count * size), toByteOffset: Region.size.offset, as: UInt64.self)
      base.storeBytes(of: UInt32(size), toByteOffset: Region.entrySize.offset, as: UInt32.self)
      base.storeBytes(of: UInt32(count), toByteOffset: Region.capacity.offset, as: UInt32.self)
      base.storeBytes(of: UInt64(count), toByteOffset: Region.used.offset, as: UInt64.self)
    }
    let file = try TemporaryFile(bytes)
    #expect(truncate(file.path, start + count * size) == 0)
    return (file, start)
  }

  private func residentBytes() throws -> Int {
    let file = try #require(fopen("/proc/self/statm", "r"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 200)
    let pages = fgets(&line, Int32(line.count), file).map { String(cString: $0) }?
      .split(separator: " ").dropFirst().first
    return try #require(pages.flatMap { Int($0) }) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Checks what users of a snapshot may rely on, whatever the file contains.
  private func check(_ snapshot: TraceSnapshot, _ round: Int) {
    for (left, right) in zip(snapshot.records, snapshot.records.dropFirst()) {
      #expect(left.ticks <= right.ticks, "round \(round)")
    }
    for (index, chain) in snapshot.chains.enumerated() {
      #expect(chain.parent == 0 || Int(chain.parent) < index, "round \(round)")
      #expect(chain.frames.count <= 20)
    }
    for (index, site) in snapshot.sites.enumerated() { #expect(Int(site.index) == index) }
    for record in snapshot.records {
      _ = (record.entity, record.status, record.subscribing, record.timerArming)
      _ = (snapshot.nanoseconds(from: record.ticks), snapshot.realtime(of: record.ticks))
    }
    #expect(snapshot.nanosecondsPerTick > 0)
    #expect(snapshot.problems.count <= 200)
    _ = snapshot.exactFrom
  }

  private func interestingByte(_ random: inout Random) -> UInt8 {
    switch random.next(below: 4) {
    case 0: 0xFF
    case 1: 0
    case 2: 1 << UInt8(random.next(below: 8))
    default: UInt8(truncatingIfNeeded: random.next())
    }
  }
}
