import ReactiveTesting
import Testing

@testable import Reactive

@Suite struct RoomInternalTests {
  private struct Wide: Sendable {
    var lanes: SIMD16<Double>
    let token: LifeCount.Token
  }

  /// Counts how often it is destroyed.
  private struct Unique: ~Copyable, Sendable {
    let number: Int
    let ends: Counter
    deinit { ends.add() }
  }

  @Test func theLastCopyReleasesTheContentWhereverItIsDropped() {
    let lives = LifeCount()
    var room: Room<LifeCount.Token>? = Room(lives.token())
    let copies = Box(room)
    room?.with { $0.touch() }
    room = nil
    #expect(lives.count == 1)
    onPlainThread { copies.value = nil }
    #expect(lives.count == 0)
  }

  @Test func contentWithTheLargestAlignmentStandsAtItsAlignment() {
    #expect(MemoryLayout<Wide>.alignment == 16)
    let lives = LifeCount()
    // Of different sizes, so that the allocator returns different addresses.
    var rooms: [Room<Wide>] = []
    var others: [[UInt8]] = []
    for number in 0..<64 {
      rooms.append(Room(Wide(lanes: SIMD16(repeating: Double(number)), token: lives.token())))
      others.append([UInt8](repeating: 0, count: 16 * number + 1))
    }
    for (number, room) in rooms.enumerated() {
      let address = UInt(bitPattern: room.object.header.start)
      #expect(address % UInt(MemoryLayout<Wide>.alignment) == 0)
      #expect(room.with { $0.lanes } == SIMD16(repeating: Double(number)))
    }
    #expect(lives.count == 64)
    rooms = []
    #expect(lives.count == 0)
    withExtendedLifetime(others) {}
  }

  /// An optimizer that takes the room for memory of numbers puts such an object on the stack.
  @Test func anObjectMadeForTheRoomOutlivesTheFunctionThatMadeIt() {
    let rooms = (0..<8).map { Self.pair(of: $0) }
    // Reuses the stack.
    let others = (0..<8).map { Self.pair(of: 100 + $0) }
    for (number, room) in rooms.enumerated() {
      #expect(room.with { $0.counter.add() } == number + 1)
      #expect(room.with { $0.counter.add($0.number) } == 2 * number + 1)
    }
    withExtendedLifetime(others) {}
  }

  private struct Pair: ~Copyable, Sendable {
    let counter: LocalCounter
    let number: Int
  }

  /// A class of which the optimizer sees everything.
  private final class LocalCounter: Sendable {
    private let count: Locked<Int>

    init(_ count: Int) { self.count = Locked(count) }

    func add(_ amount: Int = 1) -> Int {
      count.withLock { count in
        count += amount
        return count
      }
    }
  }

  @inline(never)
  private static func pair(of number: Int) -> Room<Pair> {
    Room(Pair(counter: LocalCounter(number), number: number))
  }

  @Test func contentThatCannotBeCopiedIsBorrowedAndDestroyedOnce() {
    let ends = Counter()
    do {
      let room = Room(Unique(number: 7, ends: ends))
      let copy = room
      #expect(room.with { $0.number } + copy.with { $0.number } == 14)
      #expect(ends.value == 0)
    }
    #expect(ends.value == 1)
  }
}
