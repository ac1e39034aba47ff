import ReactiveTesting
import Testing

@testable import Reactive

@Suite struct FifoInternalTests {
  @Test func popsInTheOrderOfPushing() {
    var fifo = Fifo<Int>()
    #expect(fifo.isEmpty)
    #expect(fifo.pop() == nil)
    var expected = 0
    var pushed = 0
    // The queue grows and shrinks, so that its elements are repeatedly moved to the front of its
    // storage.
    for round in 1...200 {
      for _ in 0..<round {
        fifo.push(pushed)
        pushed += 1
      }
      for _ in 0..<(round - 1) {
        #expect(fifo.pop() == expected)
        expected += 1
      }
      #expect(fifo.count == pushed - expected)
    }
    while let next = fifo.pop() {
      #expect(next == expected)
      expected += 1
    }
    #expect(expected == pushed)
    #expect(fifo.isEmpty)
  }

  @Test func releasesPoppedElements() {
    let lives = LifeCount()
    var fifo = Fifo<LifeCount.Token>()
    for _ in 0..<100 { fifo.push(lives.token()) }
    for left in (0..<100).reversed() {
      _ = fifo.pop()
      #expect(lives.count == left)
    }
  }
}
