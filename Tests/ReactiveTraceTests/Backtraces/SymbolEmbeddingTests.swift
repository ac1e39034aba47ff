import Glibc
import Testing

@testable import ReactiveTrace
import TraceReading

@Suite struct SymbolEmbeddingTests {
  private static let text = """
    header startTicks=1000 programName="demo" state=stopped
    site 1 name="map" file="Demo/main.swift" line=7
    stack 1 0x1000 0x2000
    chain 1 stack=1 depth=1
    segment baseTicks=1000 thread=1
      +16 signal-created signal=0x101 site=1
    """

  private static func symbol(
    _ address: UInt64,
    _ function: String,
    _ file: String = "",
    _ line: UInt32 = 0,
    isInlined: Bool = false,
    note: String = ""
  ) -> TraceSymbol {
    var symbol = TraceSymbol()
    symbol.address = address
    symbol.function = function
    symbol.file = file
    symbol.line = line
    symbol.isInlined = isInlined
    symbol.note = note
    return symbol
  }

  private static let symbols = [
    symbol(0x2000, "", note: "no symbols"),
    symbol(0x1000, "inner()", "/src/a.swift", 3, isInlined: true),
    symbol(0x1000, "outer()", "/src/b.swift", 9),
  ]

  /// Makes a trace from its text form, and writes a copy with embedded symbols to another file.
  private static func embed(
    _ symbols: [TraceSymbol],
    in text: String = text
  ) throws -> (before: TraceSnapshot, after: TraceSnapshot, folder: TemporaryDirectory) {
    let folder = try TemporaryDirectory()
    let file = try TemporaryFile(try TraceText.assemble(text))
    let reader = try TraceReader(path: file.path)
    try SymbolEmbedding.write(symbols, of: reader, to: folder.path + "/packed")
    let packed = try TraceReader(path: folder.path + "/packed").snapshot()
    return (try reader.snapshot(), packed, folder)
  }

  @Test func embeddedSymbolsAreReadInTheOrderOfAddresses() throws {
    let (before, after, _) = try Self.embed(Self.symbols)
    #expect(before.symbols.isEmpty)
    #expect(after.symbols == [Self.symbols[1], Self.symbols[2], Self.symbols[0]])
    #expect(after.problems == [])
  }

  @Test func embeddingSymbolsChangesNothingElse() throws {
    let (before, after, _) = try Self.embed(Self.symbols)
    #expect(after.header.programName == "demo")
    #expect(after.sites.map(\.name) == before.sites.map(\.name))
    #expect(after.chains.map(\.frames) == before.chains.map(\.frames))
    #expect(after.records.map(\.number) == before.records.map(\.number))
    for (number, text) in before.strings { #expect(after.strings[number] == text) }
  }

  @Test func theCopyHasAtLeastTheFormatVersionThatHasSymbols() throws {
    let (_, after, _) = try Self.embed(Self.symbols, in: "header minorVersion=0\n" + Self.text)
    #expect(after.header.minorVersion == 1)
    let (_, later, _) = try Self.embed(Self.symbols, in: "header minorVersion=7\n" + Self.text)
    #expect(later.header.minorVersion == 7)
  }

  @Test func aTraceCanReplaceItself() throws {
    let file = try TemporaryFile(try TraceText.assemble(Self.text))
    for _ in 0..<2 {
      try SymbolEmbedding.write(Self.symbols, of: try TraceReader(path: file.path), to: file.path)
      #expect(try TraceReader(path: file.path).snapshot().symbols.count == 3)
    }
  }

  @Test func theCopyHasTheSamePermissionsAndLeavesNoOtherFile() throws {
    let file = try TemporaryFile(try TraceText.assemble(Self.text))
    let folder = try TemporaryDirectory()
    for permissions: mode_t in [0o600, 0o644] {
      #expect(chmod(file.path, permissions) == 0)
      let path = folder.path + "/packed"
      try SymbolEmbedding.write(Self.symbols, of: try TraceReader(path: file.path), to: path)
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == permissions)
    }
    #expect(Files.names(in: folder.path) == ["packed"])
  }

  @Test func aCopyThatCannotBeMadeIsReportedInOneSentence() throws {
    let file = try TemporaryFile(try TraceText.assemble(Self.text))
    let reader = try TraceReader(path: file.path)
    let error = #expect(throws: TraceError.self) {
      try SymbolEmbedding.write(Self.symbols, of: reader, to: "/nowhere/packed")
    }
    #expect(error?.description.contains("'/nowhere/packed': cannot be made") == true)
  }

  @Test func namesThatAreTooLongAreCutBetweenCharacters() throws {
    let name = String(repeating: "ü", count: 700)
    let (_, after, _) = try Self.embed([Self.symbol(0x1000, "x" + name, "/src/a.swift", 1)])
    let kept = try #require(after.symbols.first?.function)
    #expect(kept.utf8.count <= Layout.StringHeap.limit && kept.utf8.count > 1000)
    #expect(("x" + name).hasPrefix(kept))
    #expect(after.symbols.first?.file == "/src/a.swift")
    #expect(after.problems == [])
  }

  @Test func aDamagedHeapOfStringsDoesNotHideNewOnes() throws {
    // The first string claims more bytes than there are.
    let bytes = try TraceText.assemble(Self.text)
    let whole = try TemporaryFile(bytes)
    let heap = try #require(try TraceReader(path: whole.path).header().regions[.strings])
    var damaged = bytes
    damaged.replaceSubrange(heap.start + 8..<heap.start + 12, with: [0xFF, 0xFF, 0xFF, 0])
    let file = try TemporaryFile(damaged)
    try SymbolEmbedding.write(Self.symbols, of: try TraceReader(path: file.path), to: file.path)
    let after = try TraceReader(path: file.path).snapshot()
    #expect(after.symbols.map(\.function) == ["inner()", "outer()", ""])
  }

  @Test func theTextFormWritesAndReadsSymbols() throws {
    let file = try TemporaryFile(try TraceText.assemble(Self.text))
    try SymbolEmbedding.write(Self.symbols, of: try TraceReader(path: file.path), to: file.path)
    var text = ""
    try TraceText.dump(try TraceReader(path: file.path)) { text += $0 + "\n" }
    #expect(
      text.contains("symbol 0 address=0x1000 function=\"inner()\" file=\"/src/a.swift\" line=3")
    )
    let again = try TemporaryFile(try TraceText.assemble(text))
    #expect(try TraceReader(path: again.path).snapshot().symbols.count == 3)
  }

  @Test func rowsThatNameMissingStringsAreShownWithAQuestionMark() throws {
    let file = try TemporaryFile(
      try TraceText.assemble(Self.text + "\nsymbol address=0x1000 function=999 line=4294967295\n")
    )
    let snapshot = try TraceReader(path: file.path).snapshot()
    #expect(snapshot.symbols.map(\.function) == ["?"])
    #expect(snapshot.problems.contains { $0.message.contains("the symbol 0 names string 999") })
  }
}
