import Foundation
import Glibc
import Testing

/// For a file whose tables claim far more content than the file has, the cost of a command depends
/// only on the real content.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct HostileSizeTests {
  private static let commands: [[String]] =
    ["sites", "signals", "subscriptions", "graph", "events", "findings", "marbles", "queues"].map {
      ["--once", "--screen", $0]
    }
    + [
      ["--json"], ["check"], ["dump"], ["dump", "--backtraces"], ["marble"], ["diff"],
      ["export", "ndjson"], ["export", "csv"], ["export", "chrome"], ["report"],
    ]

  /// Runs every command, each with at most ten seconds of processor time and 2 GB of memory.
  ///
  /// - Returns: The output of `--json`.
  private static func runAll(_ path: String) throws -> String {
    var json = ""
    for command in commands {
      let outcome = try Programs.run(
        "/bin/sh",
        [
          "-c", "ulimit -t 10; ulimit -v 2000000; exec \"$@\"", "sh",
          try #require(Programs.rxtop),
        ] + command + [path]
      )
      #expect([0, 1, 4].contains(outcome.status), "\(command): \(outcome.errors)")
      if command == ["--json"] { json = outcome.output }
    }
    return json
  }

  /// A region's row in the table of regions, the size of an entry, and the number of entries.
  struct Region {
    var row: Int
    var entrySize: Int
    var count: Int

    var size: Int { entrySize * count }
  }

  /// The largest region that a reader accepts, for each of these rows: segments, slab, sites,
  /// upstreams, strings, stacks, chains, schedulers, threads, images, marks, their counts, and
  /// symbols.
  private static let regions = [
    Region(row: 0, entrySize: 65536, count: 1 << 18), Region(row: 1, entrySize: 64, count: 1 << 24),
    Region(row: 2, entrySize: 384, count: 1 << 18), Region(row: 3, entrySize: 8, count: 1 << 24),
    Region(row: 4, entrySize: 1, count: 1 << 28), Region(row: 5, entrySize: 1, count: 1 << 28),
    Region(row: 6, entrySize: 16, count: 1 << 24), Region(row: 7, entrySize: 32, count: 1 << 18),
    Region(row: 8, entrySize: 64, count: 1 << 18), Region(row: 9, entrySize: 64, count: 1 << 18),
    Region(row: 10, entrySize: 64, count: 1 << 12), Region(row: 11, entrySize: 8, count: 1 << 28),
    Region(row: 14, entrySize: 32, count: 1 << 19),
  ]

  /// Makes a region claim a range that is appended to the file as a hole, with data only in the
  /// last page if `endsWithData` is true.
  private static func claim(_ region: Region, in path: String, endsWithData: Bool = false) throws {
    let file = open(path, O_RDWR)
    defer { close(file) }
    var status = stat()
    try #require(fstat(file, &status) == 0)
    let start = (Int(status.st_size) + 4095) / 4096 * 4096
    let end = start + region.size
    try #require(ftruncate(file, off_t(end)) == 0)
    if endsWithData {
      let page = [UInt8](repeating: 1, count: 4096)
      try #require(pwrite(file, page, page.count, off_t(end - page.count)) == page.count)
    }
    var row: [UInt8] = []
    func put(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { row += $0 }
    }
    let isTail = region.row == 15
    put(UInt64(start))
    put(UInt64(isTail ? 0 : region.size))
    put(UInt32(region.entrySize))
    put(UInt32(isTail ? 0 : region.count))
    put(UInt64(region.count))
    try #require(pwrite(file, row, row.count, off_t(1024 + 64 * region.row)) == row.count)
  }

  @Test func aStreamThatClaimsATerabyteIsReadInSeconds() throws {
    let scratch = try Scratch()
    let path = scratch.path("huge.rxtrace")
    try SmallTrace.write("header mode=stream tailState=growing\n" + SmallTrace.text, to: path)
    try Self.claim(Region(row: 15, entrySize: 65536, count: 1 << 24), in: path)
    let json = try Self.runAll(path)
    #expect(json.contains(#""name": "interval""#), "what is there is shown")
  }

  @Test(arguments: [false, true])
  func tablesThatClaimMoreThanTheFileHasAreReadInSeconds(endsWithData: Bool) throws {
    for region in Self.regions {
      let scratch = try Scratch()
      let path = scratch.path("claims.rxtrace")
      try SmallTrace.write(to: path)
      try Self.claim(region, in: path, endsWithData: endsWithData)
      for command in [["--json"], ["check"], ["dump"]] {
        let outcome = try Programs.run(
          "/bin/sh",
          [
            "-c", "ulimit -t 10; ulimit -v 1000000; exec \"$@\"", "sh",
            try #require(Programs.rxtop),
          ] + command + [path]
        )
        #expect([0, 1, 4].contains(outcome.status), "\(region) \(command): \(outcome.errors)")
        #expect(outcome.output.utf8.count < 2 << 20, "\(region) \(command)")
        guard command == ["--json"], region.row == 2, !endsWithData else { continue }
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let sites = (object as? [String: Any])?["sites"] as? [Any]
        #expect(sites?.isEmpty == true, "rows of nothing")
      }
    }
  }

  @Test func allTablesThatClaimTooMuchAtOnceAreReadInSeconds() throws {
    let scratch = try Scratch()
    let path = scratch.path("all.rxtrace")
    try SmallTrace.write(to: path)
    for region in Self.regions { try Self.claim(region, in: path, endsWithData: true) }
    _ = try Self.runAll(path)
  }
}
