import Foundation
import TraceReading

/// A trace of a program that has ended, with two lines of code and a live subscription at each.
enum SmallTrace {
  static let text = """
    header state=stopped clock=monotonic slotBits=8 generation=1 startLevel=events processID=4711
    header startTicks=1000000000 startMonotonic=1000000000 startRealtime=1700000000000000000
    header latestTicks=3000000000 latestMonotonic=3000000000 latestRealtime=1700000002000000000
    header stopTicks=3000000000 programName="small" lastSerial=4
    site 1 name="interval" file="Small/Clock.swift" line=21 column=5 subscribed=1 signalsCreated=1
    site 2 name="subscribe" file="Small/Clock.swift" line=23 column=5 subscribed=1
    thread 1 systemID=4711 name="main"
    slot 1 serial=1 kind=signal state=active site=1 createdAt=1000000000
    slot 2 serial=2 kind=subscription state=active site=2 createdAt=1100000000 lastEventAt=2900000000 eventCount=2
    slot 3 serial=3 kind=subscription state=active site=1 signal=257 link=514 createdAt=1100000000 lastEventAt=2900000000 eventCount=2
    segment 0 epoch=1 generation=1 baseTicks=1000000000 thread=1
      +0 signal-created signal=257 site=1 serial=1
      +100000000 subscribed subscription=514 site=2 serial=2
      +100000000 subscribed subscription=771 site=1 downstream=514 serial=3 signal=257
      +1000000000 next subscription=771 sequence=1
      +1000000000 next subscription=514 sequence=1
      +1900000000 next subscription=771 sequence=2
      +1900000000 next subscription=514 sequence=2
    """

  /// Writes the trace to a path.
  static func write(to path: String) throws { try write(text, to: path) }

  /// Assembles a trace from text and writes it to a path.
  static func write(_ text: String, to path: String) throws {
    try Data(try TraceText.assemble(text)).write(to: URL(filePath: path))
  }
}
