@testable import InspectorUI
import Testing
import TraceFindings
import TraceFormat
@testable import TraceModel

@Suite struct TypedFilterInternalTests {
  /// While a filter is typed, the sorted rows from before the filter are kept, and each letter only
  /// filters them again.
  ///
  /// The result must be the same as if the filter had been there from the start.
  @Test(
    arguments: [Screen.subscriptions, .signals, .sites, .queues],
    ["map", "1", "age>1ms", "state=active & !2", "zzz", "!map|take"]
  )
  func aTypedFilterGivesTheSameRowsAsOneThatWasThereBefore(on screen: Screen, filter: String) {
    for sort in [nil, "age down", "age up", "state"] {
      var inspection = Fixture.watchtower()
      inspection.subscriptions += (1...300).map { serial in
        var row = SubscriptionRow(key: Fixture.key(UInt64(5000 + serial)))
        (row.name, row.location) = (serial % 3 == 0 ? "map" : "take", "Main.swift:\(serial % 7)")
        row.site = UInt32(900 + serial % 21)
        (row.state, row.age) = (serial % 5 == 0 ? nil : .active, .microseconds(serial &* 7919 % 13))
        return row
      }
      func model(_ filter: String) -> Model {
        var settings = Settings()
        settings.sort[screen] = sort
        var model = Model(size: .standard, screen: screen, filter: filter, settings: settings)
        _ = model.update(.inspection(inspection, at: .end))
        return model
      }
      var typing = model("")
      let all = typing.rows.ids
      for key in Key.script("\\\(filter)") { _ = typing.update(.key(key)) }
      #expect(typing.rows.ids == model(filter).rows.ids)
      #expect(typing.rows.total == model(filter).rows.total)

      // The next inspection has fewer rows.
      inspection.subscriptions.removeLast(150)
      _ = typing.update(.inspection(inspection, at: .end))
      #expect(typing.rows.ids == model(filter).rows.ids)

      for _ in filter { _ = typing.update(.key(.backspace)) }
      #expect(typing.rows.ids == model("").rows.ids)
      #expect(screen != .subscriptions || typing.rows.count == all.count - 150)
    }
  }

  /// Rows with the same texts are not all made and compared with a filter of words: the result for
  /// one of them counts for all.
  ///
  /// The rows shown must be the same as if each row were compared.
  @Test(
    arguments: [
      "map", "root", "active", "dropped", "canc", "main", "pane & !root", "ended|map", "!active",
      "7", "#7", "zzz",
    ])
  func aTypedFilterOfRepeatedTextsGivesTheSameRows(filter: String) {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let queue = trace.scheduler("main queue", .main)
    let root = trace.site("subscribe", "Pane.swift", 9, [.root])
    let map = trace.site("map", "Feed.swift", 8)
    for number in 0..<60 {
      let downstreamID = trace.subscribe(root, scheduler: number % 2 == 0 ? queue : 0)
      let upstreamID = trace.subscribe(map, downstream: downstreamID)
      if number % 3 == 0 { trace.end(upstreamID, number % 2 == 0 ? .completed : .cancelled) }
      if number % 5 == 0 { trace.dropDisposable(downstreamID) }
    }
    let inspection = Inspection(snapshot: trace.finish())
    func model(_ filter: String) -> Model {
      var model = Model(size: .standard, screen: .subscriptions, filter: filter)
      _ = model.update(.inspection(inspection, at: .end))
      return model
    }
    var typing = model("")
    #expect(inspection.subscriptionRows.matchKey(at: 0) != nil && typing.rows.count == 120)
    for key in Key.script("\\\(filter)") { _ = typing.update(.key(key)) }
    #expect(typing.rows.ids == model(filter).rows.ids)
  }
}
