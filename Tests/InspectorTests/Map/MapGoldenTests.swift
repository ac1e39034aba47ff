import InspectorUI
import Testing
import TraceModel

/// The maps of programs of many shapes.
@Suite struct MapGoldenTests {
  static let programs: [(name: String, inspection: Inspection, flow: FlowReport?)] = [
    ("diamond", MapFixture.diamond(), nil), ("shared", MapFixture.shared(), nil),
    ("nested", MapFixture.nested(), nil), ("queues", MapFixture.queues(), nil),
    ("cycle", MapFixture.cycle().inspection, MapFixture.cycle().flow),
    ("lines-300", MapFixture.large(lines: 300), nil),
    ("lines-10000", MapFixture.large(lines: 10_000, isDivided: true), nil),
  ]
  static let sizes = [
    Size(columns: 80, rows: 24), Size(columns: 120, rows: 40), Size(columns: 200, rows: 60),
  ]

  static func model(
    _ program: (name: String, inspection: Inspection, flow: FlowReport?),
    _ size: Size,
    _ glyphs: Glyphs = .utf8
  ) -> Model {
    var model = Model(size: size, glyphs: glyphs, screen: .map)
    for case .query(let query) in model.update(.inspection(program.inspection, at: .end)) {
      _ = model.update(.answered(query, .flow(program.flow ?? FlowReport())))
    }
    return model
  }

  @Test(arguments: programs.indices, sizes)
  func matchesTheGoldenFile(program: Int, size: Size) throws {
    let program = Self.programs[program]
    let frame = Self.model(program, size).frame()
    try Golden.expect(frame.framed, named: "map-\(program.name)-\(size.columns)x\(size.rows)")
  }

  @Test(arguments: programs.indices, sizes)
  func isLegibleInASCII(program: Int, size: Size) throws {
    let program = Self.programs[program]
    let frame = Self.model(program, size, .ascii).frame()
    #expect(frame.text.utf8.allSatisfy { $0 < 0x80 })
    try Golden.expect(frame.framed, named: "map-\(program.name)-\(size.columns)x\(size.rows)-ascii")
  }

  @Test(arguments: programs.indices, sizes)
  func conveysEverythingWithoutColour(program: Int, size: Size) throws {
    let program = Self.programs[program]
    let frame = Self.model(program, size).frame()
    try Golden.expect(
      frame.framed + frame.looks,
      named: "map-\(program.name)-\(size.columns)x\(size.rows)-mono"
    )
  }
}
