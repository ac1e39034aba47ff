import Testing

@testable import ReactiveTrace

@Suite struct FrameWalkTests {
  /// Walks a stack made by hand: pairs of the next frame's address and a return address.
  private func walk(_ make: (UInt) -> [UInt64], below extra: UInt = 0) -> [UInt64] {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 256) { stack in
      stack.initialize(repeating: 0)
      let start = UInt(bitPattern: stack.baseAddress)
      for (index, word) in make(start).enumerated() { stack[index] = word }
      return withUnsafeTemporaryAllocation(
        of: UInt64.self,
        capacity: Layout.StackHeap.limit
      ) { out in
        guard let buffer = out.baseAddress else { return [] }
        let walk = FrameWalk.capture(from: start, below: start + 256 * 8 - extra, into: buffer)
        return Array(out[..<walk.count])
      }
    }
  }

  @Test func followsFramesOutwards() {
    #expect(
      walk { [UInt64($0 + 32), 11, 0, 0, UInt64($0 + 64), 22, 0, 0, 0, 33] } == [11, 22, 33]
    )
  }

  @Test func stopsAtTheLimit() {
    let frames = walk { start in
      (1...80).flatMap { (frame: UInt64) -> [UInt64] in [UInt64(start) + 16 * frame, frame] }
    }
    #expect(frames == (1...64).map { UInt64($0) })
  }

  @Test func stopsWhereTheChainOfFramesIsInvalid() {
    #expect(walk { [UInt64($0), 11] } == [11], "a frame that follows itself")
    #expect(walk { [UInt64($0 - 16), 11] } == [11], "one further in")
    #expect(walk { [UInt64($0 + 33), 11, 0, 0, 0, 22] } == [11], "one that is not aligned")
    #expect(walk { [UInt64($0) | 1 << 60, 11] } == [11], "one that is marked by a task")
    #expect(walk { [UInt64($0 + 256 * 8), 11] } == [11], "one behind the stack")
    #expect(walk { [UInt64($0 + 255 * 8), 11] } == [11], "one that ends behind the stack")
    #expect(walk { [UInt64($0 + 32), 11, 0, 0, UInt64($0 + 64), 0] } == [11], "no return address")
    #expect(walk { _ in [] } == [])
  }
}
