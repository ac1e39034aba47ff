import ReactiveTrace
import Testing
@testable import TraceModel

/// An `IDTable`, which maps identifiers to values, behaves like a dictionary.
@Suite struct IDTableTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>, [false, true])
  func agreesWithADictionary(seed: UInt64, hasAllSlots: Bool) {
    var random = SeededGenerator(seed: seed)
    var table = IDTable<Int>()
    var expected: [TraceID: Int] = [:]
    if hasAllSlots {
      let ids = (0..<300 as Range<UInt32>).map { TraceID(rawValue: ($0 % 4) << 18 | $0) }
      table = IDTable(ofDifferentSlots: ids, ids.map { Int($0.rawValue) })
      for id in ids { expected[id] = Int(id.rawValue) }
    }
    for step in 0..<20_000 {
      // As in a trace, few slots are reused for many entities, whose identifiers then differ only
      // in their upper bits.
      let slot = UInt32.random(in: 0..<300, using: &random)
      let id = TraceID(rawValue: UInt32.random(in: 0..<4, using: &random) << 18 | slot)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        #expect(table.set(step, for: id) == (expected[id] == nil))
        expected[id] = step
      case 2, 3:
        #expect(table.remove(id) == expected.removeValue(forKey: id))
      default:
        #expect(table[id] == expected[id])
        #expect(table.contains(id) == (expected[id] != nil))
      }
      #expect(table.count == expected.count)
    }
    #expect(Set(table.ids) == Set(expected.keys))
    for (place, id) in table.ids.enumerated() { #expect(table.values[place] == expected[id]) }
  }

  @Test func copiesKeepTheirValues() {
    var table = IDTable<Int>()
    for number in 1...100 as ClosedRange<UInt32> {
      table.set(Int(number), for: TraceID(rawValue: number))
    }
    let copy = table
    for number in 1...50 as ClosedRange<UInt32> { _ = table.remove(TraceID(rawValue: number)) }
    #expect(copy.count == 100 && table.count == 50)
    #expect(copy[TraceID(rawValue: 7)] == 7 && table[TraceID(rawValue: 7)] == nil)
  }
}
