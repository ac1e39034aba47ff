import ReactiveTrace
import Testing
import TraceReading

/// `TraceFormat.md` agrees with the code.
///
/// `UPDATE_GOLDEN=1` rewrites its generated parts.
@Suite(.serialized) struct TraceFormatDocumentTests {
  @Test(arguments: FormatTables.all.map(\.name))
  func tableIsCurrent(name: String) throws {
    let table = try #require(FormatTables.all.first { $0.name == name })
    var document = try FormatDocument()
    let found = try #require(document.part(name), "TraceFormat.md has no part '\(name)'")
    if found != table.lines, FormatDocument.isToBeUpdated {
      try document.replace(name, with: table.lines)
      return
    }
    for (line, (left, right)) in zip(found, table.lines).enumerated() {
      #expect(left == right, "TraceFormat.md, part '\(name)', line \(line)")
    }
    #expect(found.count == table.lines.count, "TraceFormat.md, part '\(name)'")
  }

  @Test func everyTraitHasItsRow() throws {
    let lines = try FormatDocument().lines
    let first = try #require(lines.firstIndex(of: "| Bits | Trait | The operator |"))
    let rows = lines[(first + 2)...].prefix { $0.hasPrefix("|") }
      .map { $0.split(separator: "|").prefix(2).joined(separator: "|") }
    let expected = SiteTraits.names.map { name, traits in
      let bits =
        switch traits.rawValue {
        case 1 << 8..<1 << 12: "8–11 = \(traits.fate.rawValue)"
        case 1 << 24..<1 << 26: "24–25 = \(traits.inputs.rawValue)"
        default: "\(traits.rawValue.trailingZeroBitCount)"
        }
      return " \(bits) | `\(name)` "
    }
    #expect(rows.sorted() == expected.sorted())
  }

  @Test func workedDumpMatchesItsText() throws {
    var document = try FormatDocument()
    let text = try #require(document.block("text")).joined(separator: "\n")
    let bytes = try TraceText.assemble(text)
    let lines = HexDump.lines(bytes)
    let found = try #require(document.block("dump"))
    if found != lines, FormatDocument.isToBeUpdated {
      try document.replaceBlock("dump", with: lines)
      return
    }
    #expect(found == lines, "TraceFormat.md, section 14")
    #expect(HexDump.bytes(found, count: bytes.count) == bytes)
  }

  /// What the document says in prose about its hexadecimal dump is correct.
  @Test func workedDumpReadsAsDescribed() throws {
    let document = try FormatDocument()
    let lines = try #require(document.block("dump"))
    let size = 70_784
    let file = try TemporaryFile(try #require(HexDump.bytes(lines, count: size)))
    let snapshot = try TraceReader(path: file.path).snapshot()
    #expect(snapshot.problems.isEmpty)
    #expect(snapshot.records.map(\.kind) == [.signalCreated, .subscribed, .next])
    #expect(snapshot.records.map(\.ticks) == [1016, 1032, 1048])
    #expect(snapshot.records.map(\.number) == [4096, 4098, 4100])
    #expect(snapshot.sites[1].name == "subject" && snapshot.sites[1].line == 7)
    #expect(snapshot.slots.map(\.id.rawValue) == [0x101, 0x202])
    #expect(document.lines.contains { $0.contains("70 784 bytes") })
  }

  /// The worked example is what the recorder writes for the same calls, except for the clocks and
  /// the rest of the file.
  @Test func workedExampleIsWhatTheRecorderWrites() async throws {
    let shown = try #require(try FormatDocument().block("text"))
    let records = shown.drop { !$0.hasPrefix("segment") }.dropFirst().map(shape)
    await #expect(processExitsWith: .success) { [records = records as [String]] in
      try Recording.start(size: 256 << 10, stacks: .hops)
      let site = Tracer.site("subject", traits: .hot, file: "Demo/main.swift", line: 7, column: 15)
      let signal = Tracer.signalCreated(site: site)
      let subscription = Tracer.subscribed(site: site, signal: signal, downstream: .none)
      Tracer.next(subscription)
      let text = TraceText.dump(try TraceReader(path: try #require(Trace.path)))
      let written = text.split(separator: "\n").filter { $0.hasPrefix("  4") }
        .map { shape(String($0.drop { $0 != "+" })) }
      #expect(written == records)
      #expect(text.contains("\nsite 1 name=\"subject\" file=\"Demo/main.swift\" line=7 column=15"))
    }
  }

  @Test func everySectionHasItsNumber() throws {
    let headings = try FormatDocument().lines.filter { $0.hasPrefix("## ") && $0 != "## Overview" }
    let titles = [
      "Goals and primitives", "File header", "Region table", "Segments and publication", "Records",
      "Slab", "Sites and counters", "Tables", "Heaps", "Generations, status and the exact window",
      "Loss, and recovery after a crash", "Versions", "The text form", "A worked example",
    ]
    #expect(headings == titles.enumerated().map { "## \($0.offset + 1) \($0.element)" })
  }
}

/// The name of the record in a line, and those of its arguments that do not depend on the file
/// size.
///
/// Rows, serials and counts do not depend on the size; identifiers do.
private func shape(_ line: String) -> String {
  let words = line.split(separator: " ")
  let plain = words.dropFirst(2).filter {
    !$0.hasPrefix("signal") && !$0.hasPrefix("subscription=")
  }
  return ([words[1]] + plain).joined(separator: " ")
}
