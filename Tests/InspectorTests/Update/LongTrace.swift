import TraceFindings
import TraceModel
import TraceReading

/// A recording at level `values` with some six thousand events: three subscriptions pass on two
/// thousand values, a millisecond apart, and then a failure.
///
/// Only the first value contains the text "bird".
enum LongTrace {
  static let valueCount = 2000
  /// Each of three subscriptions begins, passes every value, fails and ends.
  static let eventCount = 3 * (valueCount + 3)

  private static let head = """
    header state=stopped clock=monotonic slotBits=8 generation=1 startLevel=values processID=4711
    header programName="gateway" lastSerial=3 stopTicks=4000000000
    header startTicks=1000000000 startMonotonic=1000000000 startRealtime=1700000000000000000
    header latestTicks=4000000000 latestMonotonic=4000000000 latestRealtime=1700000003000000000
    string 1 "HTTPError"
    site 1 name="Subject" file="App/Gateway.swift" line=10 column=5 subscribed=1 ended.1=1 eventsOfReleased=2001
    site 2 name="map" file="App/Gateway.swift" line=34 column=5 subscribed=1 ended.1=1 eventsOfReleased=2001
    site 3 name="subscribe" file="App/Gateway.swift" line=66 column=5 traits=0x1 subscribed=1 ended.1=1 eventsOfReleased=2001
    thread 1 systemID=4711 isMain=1 name="main"
    scheduler 1 name="main" kind=main
    """

  static let text: String = {
    var lines = [head]
    for part in 0..<5 {
      lines.append("segment \(part) epoch=\(part + 1) generation=1 baseTicks=1000000000 thread=1")
      if part == 0 {
        for (id, down) in [(3, 0), (2, 3), (1, 2)] {
          lines.append(
            "  +0 subscribed subscription=\(name(id)) site=\(id) downstream=\(name(down)) serial=\(4 - id) schedulerAndChain=\(1 << 32)"
          )
        }
      }
      for number in (part * 400 + 1)...(part * 400 + 400) {
        let time = "  +\(number * 1_000_000 + 7_000)"
        lines.append("\(time) next subscription=\(name(1)) sequence=\(number)")
        lines.append(
          "\(time) value subscription=\(name(1)) \(words(number == 1 ? "bird" : "v\(number)"))"
        )
        lines.append("\(time) next subscription=\(name(2)) sequence=\(number)")
        lines.append("\(time) next subscription=\(name(3)) sequence=\(number)")
      }
    }
    lines.append("  +2500000000 failure-text error=1 \(words("busy"))")
    for id in 1...3 { lines.append("  +2500000000 failed subscription=\(name(id)) error=1") }
    for id in 1...3 { lines.append("  +2500000000 ended subscription=\(name(id)) reason=failed") }
    return lines.joined(separator: "\n")
  }()

  private static func name(_ slot: Int) -> Int { slot == 0 ? 0 : slot | slot << 8 }

  /// A description of at most six bytes.
  private static func words(_ text: String) -> String {
    let word = text.utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return "bytes=\(text.utf8.count) text0=0x\(String(word, radix: 16))"
  }

  /// The trace as the source of a screen.
  static func source() throws -> StorySource {
    let file = try WrittenTrace(text)
    return StorySource(file: file, source: try TraceSource(path: file.path))
  }
}
