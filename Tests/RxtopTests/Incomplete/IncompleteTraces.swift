import Foundation
import Testing
import TraceReading

/// The complete recording of one run of a program, and damaged or shortened copies of it.
///
/// The run is recorded in stream mode, with a ring of four segments. Such a file contains the ring
/// as it was at the end, and a tail, to which a segment was appended before the ring recycled it.
struct IncompleteTraces: Sendable {
  let scratch: Scratch
  /// The path of the complete file.
  let whole: String
  /// The paths of the incomplete copies, each with a description of what it lacks.
  let less: [(what: String, path: String)]

  init(batches: Int = 60) throws {
    scratch = try Scratch()
    let run = try TracedRun(
      ["errands", "\(batches)"],
      in: scratch,
      options: "events,mode=stream,size=256K"
    )
    #expect(run.hasSucceeded, "\(run.errorLines)")
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: run.folder.path)
        .first { $0.hasSuffix(".rxtrace") }
    )
    whole = run.folder.appending(path: name).path
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
    let snapshot = try TraceReader(path: whole).snapshot()
    let ring = snapshot.header.regions[.segments]
    let tail = snapshot.header.regions[.tail]
    let segments = (start: Int(try #require(ring).offset), size: Layout.Segment.size)
    let streamed = Int(try #require(tail).offset)
    let count = (bytes.count - streamed) / segments.size
    try #require(count >= 8, "the run is too short to be interesting")

    var less: [(String, [UInt8])] = []
    // The file is cut off after the ring, so that everything in the tail is lost.
    less.append(("the ring alone", Array(bytes.prefix(streamed))))
    less.append(("cut within a segment", Array(bytes.prefix(bytes.count - segments.size / 2))))
    for place in [0, count / 2] {
      var without = bytes
      let start = streamed + place * segments.size
      without.replaceSubrange(
        start..<(start + segments.size),
        with: repeatElement(0, count: segments.size)
      )
      less.append(
        (
          "without segment \(place)",
          Self.withoutCopies(in: without, segments.start, of: snapshot, place)
        )
      )
    }
    // A full segment is damaged in three ways: by a page of the file that never reached the disk,
    // and by bytes overwritten with something else, in the middle and at the end.
    let full = try #require(
      snapshot.segments.first {
        $0.isInTail && $0.index >= count / 3 && $0.committed > 64 + 16 * 3600
      }
    )
    let middle = streamed + full.index * segments.size
    for (what, start, length, byte) in [
      ("a page of zeros", (middle + 3 * 4096) & ~4095, 4096, UInt8(0)),
      ("4096 bytes overwritten", middle + 64 + 16 * 700 + 10, 4096, 0xEE),
      ("the end of a segment overwritten", middle + Int(full.committed) - 100, 100, 0xFF),
    ] {
      var damaged = bytes
      damaged.replaceSubrange(start..<(start + length), with: repeatElement(byte, count: length))
      less.append((what, damaged))
    }
    less.append(
      ("cut within the ring", Array(bytes.prefix(segments.start + segments.size * 5 / 2)))
    )
    var files: [(String, String)] = []
    for (place, (what, bytes)) in less.enumerated() {
      let path = scratch.path("less-\(place).rxtrace")
      try Data(bytes).write(to: URL(filePath: path))
      files.append((what, path))
    }
    self.less = files
  }

  /// Returns the bytes with zeros in place of the ring's copy of a segment of the tail, if the ring
  /// still has one, because a reader would use that copy.
  private static func withoutCopies(
    in bytes: [UInt8],
    _ ring: Int,
    of snapshot: TraceSnapshot,
    _ place: Int
  ) -> [UInt8] {
    var bytes = bytes
    guard let epoch = snapshot.segments.first(where: { $0.isInTail && $0.index == place })?.epoch
    else { return bytes }
    for index in 0..<4 {
      let start = ring + index * Layout.Segment.size
      let stored = bytes[(start + Layout.Segment.epoch.offset)...].prefix(8).reversed()
        .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard stored == epoch else { continue }
      bytes.replaceSubrange(
        start..<(start + Layout.Segment.size),
        with: repeatElement(0, count: Layout.Segment.size)
      )
    }
    return bytes
  }
}
