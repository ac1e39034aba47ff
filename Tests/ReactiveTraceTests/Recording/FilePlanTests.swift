import Testing

@testable import ReactiveTrace

@Suite struct FilePlanTests {
  @Test func scalesWithTheRing() {
    let usual = FilePlan(ringSize: 64 << 20)
    #expect(usual.row(.segments).capacity == 1024)
    #expect(usual.row(.slab).capacity == 262_144)
    #expect(usual.slotBits == 18)
    let small = FilePlan(ringSize: 256 << 10)
    #expect(small.row(.segments).capacity == 4)
    #expect(small.row(.slab).capacity == 1024)
    #expect(small.byteCount < 1 << 20)
  }

  @Test(arguments: [-1, 0, .max, 256 << 10, 300_000, 1 << 20, 3 << 20, 64 << 20, 1 << 30, 16 << 30])
  func placesRegionsOneBehindTheOther(ringSize: Int) {
    let plan = FilePlan(ringSize: ringSize)
    var end = Layout.FileHeader.byteCount
    // The segments are the largest region and come last, so that their unused end can be cut off.
    for kind in RegionKind.fixed.filter({ $0 != .segments }) + [.segments] {
      let row = plan.row(kind)
      #expect(row.offset >= end && row.offset % 4096 == 0)
      #expect(row.size == row.entrySize * row.capacity && row.capacity > 0)
      #expect(row.size <= UInt32.max || kind == .segments)
      end = row.offset + row.size
    }
    #expect(plan.byteCount >= end)
    #expect(plan.row(.slab).capacity == 1 << Int(plan.slotBits))
    #expect(plan.row(.slab).size <= plan.row(.segments).size)
    // An identifier consists of the number of a slot and of bits that distinguish the entities that
    // use the slot one after another; enough bits must be left for these.
    #expect(plan.slotBits <= 22)
  }
}
