@testable import InspectorUI
import ReactiveTrace
import Testing
@testable import TraceModel

@Suite struct FoundRowsInternalTests {
  /// The rows of a filtered screen are found again in the next inspection, whichever rows came and
  /// went in between.
  @Test(arguments: [0, 1, 2, 7, 1000])
  func foundRowsAreTheRemainingOnesInOrder(goneOfEach step: Int) {
    let before: [UInt64] = (0..<1000).map { 10 + $0 * 3 }
    var after =
      step == 0 ? before : before.enumerated().filter { $0.offset % step != 0 }.map(\.element)
    after += [1, 2, 500, 501, 9000]
    after.sort()
    let rows = LazyRows(after.map { SubscriptionRow(key: Fixture.key($0)) })

    var generator = SystemRandomNumberGenerator()
    for chosen in [before, before.reversed(), before.shuffled(using: &generator)] {
      var list = RowList()
      list.total = before.count
      for serial in chosen {
        list.ids.append(.subscription(Fixture.key(serial)))
        list.places.append(Int(serial - 10) / 3)
      }
      let found = list.found(again: rows) {
        if case .subscription(let key) = $0 { key } else { nil }
      }

      let left = Set(after)
      #expect(found.ids == chosen.filter(left.contains).map { .subscription(Fixture.key($0)) })
      #expect(found.places.map { RowID.subscription(rows.key(at: $0)) } == found.ids)
      #expect(found.total == before.count)
    }
  }
}
