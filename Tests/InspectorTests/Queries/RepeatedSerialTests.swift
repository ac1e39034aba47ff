import Foundation
import ReactiveTrace
import Testing
import TraceFindings
import TraceModel

/// A damaged recording may give two subscriptions the same number.
@Suite struct RepeatedSerialTests {
  private func source() throws -> (file: WrittenTrace, source: TraceSource) {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let path = folder.appending(path: "../../ReactiveTraceTests/Fixtures/serial-twice.txt")
    let file = try WrittenTrace(String(contentsOf: path, encoding: .utf8))
    return (file, try TraceSource(path: file.path))
  }

  @Test func marblesShowTheEventsOfBothSubscriptionsWithTheSameNumber() throws {
    var (_, source) = try source()
    let query = MarbleQuery(
      lanes: [.site(1)]
        + [257, 514].map { id in
          .subscription(EntityKey(id: TraceID(rawValue: id), serial: 1))
        },
      from: .seconds(4),
      span: .seconds(2),
      columns: 10
    )
    guard case .marbles(let chart) = try source.query(.marbles(query)) else { return }
    #expect(chart.tracks.map { $0.cells.reduce(0) { $0 + $1.values } } == [2, 1, 1])
    guard case .moments(let lanes) = try source.query(.moments(query)) else { return }
    #expect(lanes.map(\.count) == [2, 1, 1])
  }
}
