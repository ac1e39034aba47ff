import ReactiveTesting
import Testing

@testable import Reactive

/// A `Room` is a reference to an object that contains one value.
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

  @Test func droppingTheLastCopyOnAnyThreadReleasesTheContent() {
    let lives = LifeCount()
    var room: Room<LifeCount.Token>? = Room(lives.token())
    let copies = Box(room)
    room?.with { $0.touch() }
    room = nil
    #expect(lives.count == 1)
    onPlainThread { copies.value = nil }
    #expect(lives.count == 0)
  }

  @Test func contentWithTheLargestAlignmentIsAligned() {
    #expect(MemoryLayout<Wide>.alignment == 16)
    let lives = LifeCount()
    // Arrays of different sizes are made in between, to vary the addresses of the rooms.
    var rooms: [Room<Wide>] = []
    var others: [[UInt8]] = []
    for number in 0..<64 {
      rooms.append(Room(Wide(lanes: SIMD16(repeating: Double(number)), token: lives.token())))
      others.append([UInt8](repeating: 0, count: 16 * number + 1))
    }
    for (number, room) in rooms.enumerated() {
      let address = UInt(bitPattern: room.object.start)
      #expect(address % UInt(MemoryLayout<Wide>.alignment) == 0)
      #expect(room.with { $0.lanes } == SIMD16(repeating: Double(number)))
    }
    #expect(lives.count == 64)
    rooms = []
    #expect(lives.count == 0)
    withExtendedLifetime(others) {}
  }

  /// If the optimizer concluded that no reference is stored in the memory of a room, it would
  /// allocate the object on the stack.
  @Test func anObjectPutInARoomOutlivesTheFunctionThatMadeIt() {
    let rooms = (0..<8).map { Self.pair(of: $0) }
    // These calls overwrite the part of the stack that the calls above used.
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

  /// A class whose whole implementation the optimizer can see.
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
