import Testing
import TraceReading

/// Reads a file that the tests change as a recorder would.
@Suite struct LiveReadingTests {
  /// Declares regions whose positions do not depend on their contents.
  private let frame = """
    region segments capacity=3
    region slab capacity=8
    region sites capacity=8
    region strings capacity=1024
    region chains capacity=8

    """

  private func bytes(_ text: String) throws -> [UInt8] { try TraceText.assemble(frame + text) }

  @Test func addsOnlyNewRecords() throws {
    let file = try TemporaryFile(
      try bytes(
        """
        segment state=current thread=1
          +1 completed subscription=1
          +5 completed subscription=2
        """
      )
    )
    let reader = try TraceReader(path: file.path)
    var snapshot = try reader.snapshot()
    #expect(snapshot.records.map(\.id) == [1, 2])
    try file.write(
      try bytes(
        """
        string "map"
        site name="map"
        slot 1 serial=4 kind=signal state=created site=1
        chain 1 depth=1
        segment state=sealed thread=1
          +1 completed subscription=99
          +5 completed subscription=99
          +9 completed subscription=3
        segment state=current thread=2
          +3 completed subscription=4
          +9 completed subscription=5
        """
      )
    )
    try reader.update(&snapshot)
    // Records that were read before are not read again; new records that are earlier are inserted
    // where they belong.
    #expect(snapshot.records.map(\.id) == [1, 4, 2, 3, 5])
    #expect(snapshot.records.map(\.ticks) == [1, 3, 5, 9, 9])
    #expect(snapshot.sites.map(\.name) == ["", "map"] && snapshot.slots.count == 1)
    #expect(snapshot.chains.count == 2 && snapshot.problems.isEmpty)

    let numbers = snapshot.records.map(\.number)
    #expect(try reader.snapshot(since: snapshot).records.map(\.number) == numbers)
  }

  @Test func keepsRecordsOfRecycledSegments() throws {
    let file = try TemporaryFile(
      try bytes("segment epoch=1 generation=1\n +1 completed subscription=1\n")
    )
    let reader = try TraceReader(path: file.path)
    var snapshot = try reader.snapshot()
    #expect(snapshot.exactFrom == 0)
    try file.write(
      try bytes(
        """
        header recycledGeneration=1 recycledSegments=1
        segment epoch=2 generation=2 baseTicks=10
          +1 completed subscription=2
        """
      )
    )
    try reader.update(&snapshot)
    #expect(snapshot.records.map(\.id) == [1, 2])
    #expect(snapshot.segments.map(\.epoch) == [2])
    #expect(snapshot.exactFrom == 10 && snapshot.firstExactGeneration == 2)
    #expect(snapshot.records.map { snapshot.isExact($0) } == [false, true])
  }

  @Test func continuesASharedSegmentWithItsThread() throws {
    let first = "segment thread=0\n +1 thread thread=3\n +2 completed subscription=1\n"
    let file = try TemporaryFile(try bytes(first))
    let reader = try TraceReader(path: file.path)
    var snapshot = try reader.snapshot()
    try file.write(try bytes(first + " +3 completed subscription=2\n"))
    try reader.update(&snapshot)
    #expect(snapshot.records.map(\.thread) == [3, 3, 3])
  }

  @Test func keepsTheLatestRecordsWithinTheLimit() throws {
    func text(_ count: Int) -> String {
      "segment\n" + (1...count).map { " +\($0) completed subscription=\($0)\n" }.joined()
    }
    let file = try TemporaryFile(try bytes(text(9)))
    let reader = try TraceReader(path: file.path, recordLimit: 8)
    var snapshot = try reader.snapshot()
    #expect(snapshot.records.count == 9 && snapshot.droppedRecords == 0)
    try file.write(try bytes(text(20)))
    try reader.update(&snapshot)
    #expect(snapshot.records.map(\.id) == Array(13...20) && snapshot.droppedRecords == 12)
    #expect(snapshot.exactFrom == 13)
  }

  @Test func reportsEachProblemOnce() throws {
    let file = try TemporaryFile(try Fixture.named("header-unknown-values").bytes())
    let reader = try TraceReader(path: file.path)
    var snapshot = try reader.snapshot()
    let problems = snapshot.problems
    try reader.update(&snapshot)
    #expect(snapshot.problems == problems && !problems.isEmpty)
  }

  @Test func aFileThatShrinksIsAnErrorAndChangesNothing() throws {
    let file = try TemporaryFile(try Fixture.named("whole").bytes())
    let reader = try TraceReader(path: file.path)
    var snapshot = try reader.snapshot()
    try file.write([])
    let error = #expect(throws: TraceError.self) { try reader.update(&snapshot) }
    #expect(error?.code == .notATrace)
    #expect(snapshot.records.count == 11 && snapshot.sites.count == 4)
  }
}
