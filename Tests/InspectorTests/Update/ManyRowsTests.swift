import InspectorUI
import ReactiveTrace
import Testing
import TraceModel

@Suite struct ManyRowsTests {
  /// The cost of a key press depends on the size of the screen, not on that of the list: a thousand
  /// key presses on a hundred thousand rows take less time than a hundred sorts.
  @Test func theCostOfMovingDoesNotDependOnTheNumberOfRows() {
    var inspection = Fixture.watchtower()
    inspection.subscriptions = (1...100_000).map { serial in
      var row = SubscriptionRow(key: Fixture.key(UInt64(serial)))
      (row.name, row.location, row.state) = ("map", "Main.swift:\(serial % 97)", .active)
      row.age = .microseconds(Int64((serial &* 7919) % 1_000_003))
      return row
    }
    var model = Model(size: .standard, screen: .subscriptions)
    let sorting = ContinuousClock().measure { _ = model.update(.inspection(inspection, at: .end)) }
    let moving = ContinuousClock().measure {
      for _ in 0..<1000 { _ = model.update(.key(.down)) }
    }
    #expect(moving < sorting * 100)
    #expect(model.frame().selectedLine?.contains("map@Main.swift") == true)
    #expect(model.frame().line(2).hasSuffix("983–1001 of 100000"))
  }
}
