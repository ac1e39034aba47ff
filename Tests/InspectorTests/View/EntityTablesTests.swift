import InspectorUI
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Tables of entities make rows only for the lines on the screen.
///
/// They must show the same as if all rows were made.
@Suite struct EntityTablesTests {
  private static let seeds: [UInt64] = [1, 2, 3]
  private static let screens: [Screen] = [.subscriptions, .signals]

  /// The screen drawn from the trace, and drawn from rows that were all made before.
  private func frames(
    _ screen: Screen,
    _ snapshot: TraceSnapshot,
    _ keys: String
  ) -> (lazy: String, made: String) {
    let size = Size(columns: 160, rows: 200)
    let inspection = Inspection(snapshot: snapshot)
    var list = inspection
    list.subscriptions = inspection.subscriptions
    list.signals = inspection.signals
    let texts = [inspection, list].map { inspection -> String in
      var model = Model(size: size, screen: screen)
      _ = model.update(.inspection(inspection, at: .end))
      for key in Key.script(keys) { _ = model.update(.key(key)) }
      return model.frame().text
    }
    return (texts[0], texts[1])
  }

  @Test(arguments: seeds, screens)
  func sortsEntitiesAsItSortsRows(seed: UInt64, screen: Screen) {
    let snapshot = RandomLifetimes(seed: seed, steps: 300).snapshot
    for column in screen.sortableColumns {
      for direction in ["up", "down"] {
        let (lazy, made) = frames(screen, snapshot, ":sort \(column) \(direction)<Enter>")
        #expect(lazy == made, "\(screen.rawValue) by \(column) \(direction), seed \(seed)")
      }
    }
  }

  @Test(arguments: seeds, screens)
  func filtersEntitiesAsItFiltersRows(seed: UInt64, screen: Screen) {
    let snapshot = RandomLifetimes(seed: seed, steps: 300).snapshot
    for filter in ["map", "!map", "state=active", "subs>1 | events>=1", "age<50ms & !Feed"] {
      let (lazy, made) = frames(screen, snapshot, "\\\(filter)<Enter>")
      #expect(lazy == made, "\(screen.rawValue) with \(filter), seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func opensTheSubscriptionsOfALineOfCode(seed: UInt64) {
    let snapshot = RandomLifetimes(seed: seed, steps: 300).snapshot
    for place in 0..<4 {
      let down = String(repeating: "j", count: place)
      for keys in ["s\(down)<Enter>", "s\(down)r", "s\(down)rV", "s\(down)d", "u\(down)<Enter>"] {
        let (lazy, made) = frames(.sites, snapshot, keys)
        #expect(lazy == made, "after \(keys), seed \(seed)")
      }
    }
  }

  @Test(arguments: seeds)
  func connectionsAgreeWithTheDownstreamOfEachSubscription(seed: UInt64) {
    let inspection = Inspection(snapshot: RandomLifetimes(seed: seed, steps: 400).snapshot)
    let rows = inspection.subscriptions
    for row in rows {
      let feeding = rows.filter { $0.downstream == row.key }.map(\.key)
      #expect(row.upstreams == feeding)
      var way: [EntityKey] = [row.key]
      var here = row
      while let next = here.downstream.flatMap({ key in rows.first { $0.key == key } }) {
        way.append(next.key)
        here = next
      }
      let isRooted = here.isRoot && here.downstream == nil
      #expect(row.root == (isRooted ? here.key : nil))
      #expect(row.level == way.count - 1)
      #expect(inspection.subscription(row.key)?.upstreams == feeding)
    }
    for row in inspection.signals {
      let made = inspection.signals.filter { $0.upstreams.contains(row.key) }.map(\.key)
      #expect(row.downstreams == made)
    }
  }

  /// With many thousands of rows, a filter is applied only at some refreshes; in between, its rows
  /// show current values.
  @Test func anExpensiveFilterIsNotRunAtEachRefresh() {
    func recording(_ count: Int, events: UInt64) -> Inspection {
      var snapshot = TraceSnapshot()
      snapshot.processStatus = .running
      snapshot.sites = [TraceSite(), TraceSite()]
      snapshot.slots = (1...count).map { number in
        var slot = TraceSlot()
        (slot.kind, slot.state, slot.site) = (.subscription, .active, 1)
        slot.id = TraceID(rawValue: UInt32(number))
        (slot.serial, slot.createdAt) = (UInt64(number), 1000)
        slot.eventCount = number % 2 == 0 ? events : 0
        return slot
      }
      return Inspection(snapshot: snapshot)
    }
    var model = Model(size: .standard, screen: .subscriptions, filter: "events>0")
    _ = model.update(.inspection(recording(20_000, events: 7), at: .end))
    #expect(model.frame().line(2).hasSuffix("of 10000"))
    // The next refresh has more rows, which are not counted yet; the rows on the screen show
    // current values.
    _ = model.update(.inspection(recording(30_000, events: 8), at: .end))
    #expect(model.frame().line(2).hasSuffix("of 10000"))
    #expect(model.frame().text.contains(" 8 "))
    for _ in 0..<6 { _ = model.update(.inspection(recording(30_000, events: 8), at: .end)) }
    #expect(model.frame().line(2).hasSuffix("of 15000"))
  }
}
