import Foundation
import Testing
import TraceReading

/// A trace in a file, complete or with something removed.
struct TraceVariant: CustomTestStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]

  var testDescription: String { name }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  /// The sample traces of watchtower, which are wrapped rings of four segments.
  static let samples: [TraceVariant] = files(in: "traces", ending: ".rxtrace")
    .filter { $0.lastPathComponent.hasPrefix("watchtower") }
    .compactMap { url in
      (try? Data(contentsOf: url)).map {
        TraceVariant(name: url.lastPathComponent, bytes: [UInt8]($0))
      }
    }

  /// For each segment of each sample, the sample without that segment, and the sample with that
  /// segment in the middle of being recycled.
  static let withoutOneSegment: [TraceVariant] = samples.flatMap { sample in
    (0..<4).flatMap { index in
      let start = 4096 + index * 65536
      var missing = sample.bytes
      missing.replaceSubrange(start..<(start + 65536), with: repeatElement(0, count: 65536))
      var recycled = sample.bytes
      recycled.replaceSubrange(start..<(start + 8), with: repeatElement(0, count: 8))
      return [
        TraceVariant(name: "\(sample.name) without segment \(index)", bytes: missing),
        TraceVariant(name: "\(sample.name) recycling segment \(index)", bytes: recycled),
      ]
    }
  }

  /// The fixtures of the tests of the Swift reader, both intact and damaged ones.
  static let fixtures: [TraceVariant] =
    files(in: "Tests/ReactiveTraceTests/Fixtures", ending: ".txt").compactMap { url in
      guard let text = try? String(contentsOf: url, encoding: .utf8),
        let bytes = try? TraceText.assemble(text)
      else { return nil }
      return TraceVariant(name: url.deletingPathExtension().lastPathComponent, bytes: bytes)
    }

  private static func files(in folder: String, ending: String) -> [URL] {
    let folder = root.appending(path: folder)
    let all = try? FileManager.default.contentsOfDirectory(
      at: folder,
      includingPropertiesForKeys: nil
    )
    return (all ?? []).filter { $0.path.hasSuffix(ending) }.sorted { $0.path < $1.path }
  }
}
