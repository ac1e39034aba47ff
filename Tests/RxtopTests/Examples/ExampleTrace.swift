import Foundation
import Testing

/// The output of rxtop for the trace of an example.
struct ExampleTrace {
  private struct Site: Decodable {
    let name: String
    let file: String
    let location: String
    let subscribed: UInt64?
    let ownersCreated: UInt64?
    let ownersLive: UInt64?
    let timersArmed: UInt64?
  }

  private struct Queue: Decodable {
    let name: String
    let begun: UInt64
  }

  private struct Inspection: Decodable {
    let sites: [Site]
    let schedulers: [Queue]
  }

  private let example: String
  private let text: String
  private let inspection: Inspection

  /// Runs rxtop on the trace of an example.
  init(_ path: String, of example: String) throws {
    self.example = example
    let once = try Programs.rxtop("--once", "-n", "1000", path)
    #expect(once.status == 0, "\(once.errors)")
    text = once.output
    let json = try Programs.rxtop("--once", "--json", path)
    inspection = try JSONDecoder().decode(Inspection.self, from: Data(json.output.utf8))
  }

  /// Expects operators that were subscribed to, each on the line of the source that contains a
  /// text.
  func expect(
    _ operators: [(name: String, file: String, text: String)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (name, file, text) in operators {
      let place = try "\(file):\(line(of: text, in: file))"
      let row = inspection.sites.first { $0.name == name && $0.location == place }
      #expect(
        row?.file == "\(example)/\(file)",
        "\(name) at \(place)",
        sourceLocation: sourceLocation
      )
      #expect(row?.subscribed ?? 0 > 0, "\(name) at \(place)", sourceLocation: sourceLocation)
      #expect(self.text.contains("\(name)@\(place)"), sourceLocation: sourceLocation)
    }
  }

  /// Expects that owners were made on a line, and that `live` of them are left.
  func expectOwner(
    _ name: String,
    in file: String,
    at text: String,
    live: UInt64,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let place = try "\(file):\(line(of: text, in: file))"
    let row = inspection.sites.first { $0.name == name && $0.location == place }
    #expect(row?.ownersCreated ?? 0 > 0, "\(name) at \(place)", sourceLocation: sourceLocation)
    #expect(row?.ownersLive == live, "\(name) at \(place)", sourceLocation: sourceLocation)
  }

  /// Expects that a timer was armed on a line.
  func expectTimer(
    _ name: String,
    in file: String,
    at text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let place = try "\(file):\(line(of: text, in: file))"
    let row = inspection.sites.first { $0.name == name && $0.location == place }
    #expect(row?.timersArmed ?? 0 > 0, "\(name) at \(place)", sourceLocation: sourceLocation)
  }

  /// Expects queues on which scheduled work has run.
  func expectHops(on queues: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    for queue in queues {
      let begun = inspection.schedulers.first { $0.name == queue }?.begun
      #expect(begun ?? 0 > 0, "queue \(queue)", sourceLocation: sourceLocation)
    }
  }

  /// The number of the line that contains a text, looked up in the source so that it is never
  /// outdated.
  private func line(of text: String, in file: String) throws -> Int {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Examples/\(example)")
    let sources = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let source = (sources?.allObjects as? [URL])?.first { $0.lastPathComponent == file }
    let lines = try String(contentsOf: try #require(source), encoding: .utf8).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    return try #require(lines.firstIndex { $0.contains(text) }, "'\(text)' is not in \(file)") + 1
  }
}
