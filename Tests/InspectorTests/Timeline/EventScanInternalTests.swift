import Testing
@testable import TraceModel
import TraceReading

@Suite struct EventScanInternalTests {
  @Test func matchingRecordsAreCountedAndFoundByPlace() {
    var generator = SeededGenerator(seed: 7)
    for length in [1, 63, 64, 65, 200, 4096] {
      var marks = EventMarks(from: 0, to: length)
      let places = (0..<length).filter { _ in Bool.random(using: &generator) }
      for place in 0..<length { marks.note(place, passes: places.contains(place)) }
      #expect(marks.count == places.count && marks.stops == length)
      #expect(marks.places(0..<places.count) == places)
      let some = places.count / 3..<places.count / 2
      #expect(marks.places(some) == Array(places[some]))
      for place in 0...length {
        #expect(marks.rank(of: place) == places.count { $0 < place })
      }
    }
  }

  /// Whichever part is searched first, the rows are those of a single pass over all records.
  @Test(arguments: 1...8) func findsTheSameRowsAsASinglePass(seed: Int) {
    let snapshot = RandomLifetimes(seed: UInt64(seed)).snapshot
    let log = EventLog(snapshot, first: 0)
    let stops = snapshot.records.indices.filter { Step.event.stops(at: snapshot.records[$0].kind) }
    let all = log.rows(stops)
    for count in [0, snapshot.records.count / 2, snapshot.records.count] {
      for admits in [nil, { (row: EventRow) in row.kind == .next }] {
        var scan = EventScan()
        scan.move(to: log, upTo: count)
        while !scan.isDone { scan.searchNext(records: 500, admits) }
        let rows = scan.rows()
        let expected = zip(stops, all).filter { $0.0 < count && admits?($0.1) != false }.map(\.1)
        #expect(rows.map(\.number) == expected.map(\.number))
        #expect(rows.map(\.text) == expected.map(\.text))
        for (index, row) in expected.enumerated() {
          #expect(rows.index(nearest: row.number) == index && rows.number(at: index) == row.number)
          #expect(rows.time(at: index) == row.time)
        }
      }
    }
  }
}
