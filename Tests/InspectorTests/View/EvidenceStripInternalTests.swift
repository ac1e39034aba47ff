@testable import InspectorUI
import Testing
@testable import TraceModel

@Suite struct EvidenceStripInternalTests {
  private static var evidence: Evidence {
    var evidence = Evidence(events: [1, 2, 3, 4, 5, 6])
    let moments: [(Int, Int, MarbleMarks)] = [
      (1200, 0, .subscribed), (1700, 1, []), (2200, 1, []), (2201, 1, []), (3000, 0, .disposed),
      (3900, 0, .failed),
    ]
    evidence.read(
      moments.enumerated().map { place, one in
        Evidence.Moment(
          number: UInt64(place + 1),
          time: .milliseconds(one.0),
          values: one.1,
          marks: one.2
        )
      }
    )
    return evidence
  }

  @Test func drawsEventsAsMarblesDo() {
    let text = EvidenceStrip.text(Self.evidence, width: 60, .utf8)
    #expect(text == "1.200 s ┬───────●───────2────────────┴─────────────✖ 3.900 s")
    #expect(text.map(CellWidth.of) == 60)
    let plain = EvidenceStrip.text(Self.evidence, width: 60, .ascii)
    #expect(plain == "1.200 s ^-------o-------2------------!-------------# 3.900 s")
  }

  @Test func staysWithinTheWidthAndIsEmptyWithoutEventsOrTime() {
    for width in 24...200 {
      #expect(EvidenceStrip.text(Self.evidence, width: width, .utf8).map(CellWidth.of) == width)
    }
    #expect(EvidenceStrip.text(Self.evidence, width: 23, .utf8) == nil)
    #expect(EvidenceStrip.text(Evidence(events: [1, 2, 3]), width: 60, .utf8) == nil)
    var two = Self.evidence
    two.eventCount = 2
    #expect(EvidenceStrip.text(two, width: 60, .utf8) == nil)
  }

  @Test func theStripIsShownBelowTheEvidence() throws {
    var inspection = Fixture.watchtower()
    inspection.findings[0].evidence = Self.evidence
    let lines = FindingsView.lines(inspection.findings[0], width: 78, .utf8).map(\.text)
    let place = try #require(lines.firstIndex { $0.hasPrefix("when      1.200 s ┬─") })
    #expect(
      lines[place - 1].hasSuffix("the last #6 after 3.900 s") || lines[place - 1].contains("#6")
    )
    let sure = FindingsView.lines(inspection.findings[1], width: 78, .utf8).map(\.text)
    #expect(sure.contains { $0.hasPrefix("unsure    What a timer does") })
    #expect(lines.contains { $0.hasPrefix("ruled out a cache that fills") })
  }
}
