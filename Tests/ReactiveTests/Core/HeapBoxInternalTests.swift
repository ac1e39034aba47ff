import ReactiveTesting
import Testing

@testable import Reactive

/// A `HeapBox` is a reference to an object that contains one value.
@Suite struct HeapBoxInternalTests {
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
    var box: HeapBox<LifeCount.Token>? = HeapBox(lives.token())
    let copies = Box(box)
    box?.with { $0.touch() }
    box = nil
    #expect(lives.count == 1)
    onPlainThread { copies.value = nil }
    #expect(lives.count == 0)
  }

  @Test func contentWithTheLargestAlignmentIsAligned() {
    #expect(MemoryLayout<Wide>.alignment == 16)
    let lives = LifeCount()
    // Arrays of different sizes are made in between, to vary the addresses of the boxes.
    var boxes: [HeapBox<Wide>] = []
    var others: [[UInt8]] = []
    for number in 0..<64 {
      boxes.append(HeapBox(Wide(lanes: SIMD16(repeating: Double(number)), token: lives.token())))
      others.append([UInt8](repeating: 0, count: 16 * number + 1))
    }
    for (number, box) in boxes.enumerated() {
      let address = UInt(bitPattern: box.object.start)
      #expect(address % UInt(MemoryLayout<Wide>.alignment) == 0)
      #expect(box.with { $0.lanes } == SIMD16(repeating: Double(number)))
    }
    #expect(lives.count == 64)
    boxes = []
    #expect(lives.count == 0)
    withExtendedLifetime(others) {}
  }

  /// If the optimizer concluded that no reference is stored in the memory of a box, it would
  /// allocate the object on the stack.
  @Test func anObjectInABoxOutlivesTheFunctionThatMadeIt() {
    let boxes = (0..<8).map { Self.pair(of: $0) }
    // These calls overwrite the part of the stack that the calls above used.
    let others = (0..<8).map { Self.pair(of: 100 + $0) }
    for (number, box) in boxes.enumerated() {
      #expect(box.with { $0.counter.add() } == number + 1)
      #expect(box.with { $0.counter.add($0.number) } == 2 * number + 1)
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
  private static func pair(of number: Int) -> HeapBox<Pair> {
    HeapBox(Pair(counter: LocalCounter(number), number: number))
  }

  @Test func contentThatCannotBeCopiedIsBorrowedAndDestroyedOnce() {
    let ends = Counter()
    do {
      let box = HeapBox(Unique(number: 7, ends: ends))
      let copy = box
      #expect(box.with { $0.number } + copy.with { $0.number } == 14)
      #expect(ends.value == 0)
    }
    #expect(ends.value == 1)
  }
}
