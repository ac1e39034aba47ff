import Glibc
import InspectorKit
import ReactiveTrace
import Testing

/// The sample traces in `traces/`, written by the real recorder.
@Suite struct SampleTraceTests {
  static let paths: [String] = {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let folder = getenv("RX_SAMPLE_TRACES").map { String(cString: $0) } ?? "/\(root)/traces"
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".rxtrace") { names.append("\(folder)/\(name)") }
    }
    return names.sorted()
  }()

  @Test(arguments: paths)
  func replayArrivesAtWhatTheSlabSays(path: String) throws {
    let snapshot = try TraceReader(path: path).snapshot()
    let last = try #require(snapshot.records.last { $0.kind != .entityStatus })
    var timeline = Timeline(snapshot)
    let found = timeline.inspection(at: .event(last.number))
    let replayed = Facts(try #require(found))
    let truth = Facts(Inspection(snapshot: snapshot))
    #expect(replayed.contradictions(to: truth) == [])
    #expect(replayed.isExact)
  }

  @Test(arguments: paths)
  func steppingBackwardsShowsWhatSteppingForwardsShowed(path: String) throws {
    let snapshot = try TraceReader(path: path).snapshot()
    var timeline = Timeline(snapshot)
    var position: Position? = timeline.position(after: .time(.zero), .graphChange)
    var steps: [(position: Position, facts: Facts)] = []
    while let here = position, steps.count < 40 {
      let inspection = timeline.inspection(at: here)
      steps.append((here, Facts(try #require(inspection))))
      position = timeline.position(after: here, .graphChange)
    }
    #expect(!steps.isEmpty)
    for (position, facts) in steps.reversed() {
      let inspection = timeline.inspection(at: position)
      #expect(Facts(try #require(inspection)) == facts)
    }
  }
}
