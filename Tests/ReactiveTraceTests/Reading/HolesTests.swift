import Foundation
import Glibc
import Testing

@testable import ReactiveTrace
@testable import TraceReading

/// A recording is a file with holes where nothing was written.
@Suite struct HolesTests {
  private static let traces = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "traces")

  /// Writes a file, with a hole in place of every page of zeros, or without holes.
  private static func copy(_ bytes: [UInt8], sparse: Bool, to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    try #require(ftruncate(file, off_t(bytes.count)) == 0)
    for start in stride(from: 0, to: bytes.count, by: 4096) {
      let page = bytes[start..<min(start + 4096, bytes.count)]
      if sparse, page.allSatisfy({ $0 == 0 }) { continue }
      let written = page.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(start)) }
      try #require(written == page.count)
    }
  }

  @Test(arguments: ["watchtower", "watchtower-leak", "watchtower-leak-1.0", "failure"])
  func aSparseFileIsReadAsTheWholeOne(name: String) throws {
    var bytes = [UInt8](try Data(contentsOf: Self.traces.appending(path: "\(name).rxtrace")))
    // This makes the file longer, with an end that was never used.
    bytes += [UInt8](repeating: 0, count: 8 << 20)
    let directory = try TemporaryDirectory()
    var dumps: [[Substring]] = []
    for sparse in [false, true] {
      let path = "\(directory.path)/\(sparse).rxtrace"
      try Self.copy(bytes, sparse: sparse, to: path)
      let reader = try TraceReader(path: path)
      var snapshot = try reader.snapshot()
      let (records, slots, chains) = (
        snapshot.records.count, snapshot.slots.count, snapshot.chains.count
      )
      // A second reading gives the same result.
      try reader.update(&snapshot)
      #expect(snapshot.records.count == records && records > 0)
      #expect(snapshot.slots.count == slots && snapshot.chains.count == chains)
      #expect(snapshot.problems == [])
      dumps.append(TraceText.dump(reader).split(separator: "\n").dropFirst().map { $0 })
    }
    #expect(dumps[0] == dumps[1])
  }

  @Test func onlyStoredRangesOfAFileAreRead() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/holes"
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    try #require(ftruncate(descriptor, 1 << 40) == 0)
    for place in [1 << 20, 1 << 30] {
      try #require(pwrite(descriptor, "x", 1, off_t(place)) == 1)
    }
    let file = try TraceFile(path: path)
    var stretches: [Range<Int>] = []
    file.forEachStretch(in: 4096..<(1 << 40)) { stretch in
      stretches.append(stretch)
      return true
    }
    // A file system that does not report holes gives one range.
    guard stretches.count > 1 else { return }
    #expect(stretches.count == 2)
    #expect(stretches.allSatisfy { $0.count <= 1 << 16 })
    #expect(stretches.map { $0.contains(1 << 20) || $0.contains(1 << 30) } == [true, true])
    #expect(file.bytes(in: (1 << 20)..<(1 << 40), longestHole: 1 << 16).count <= 1 << 17)
  }
}
