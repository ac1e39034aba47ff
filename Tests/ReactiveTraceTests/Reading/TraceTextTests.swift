import Testing
import TraceReading

@Suite struct TraceTextTests {
  /// The dump of a file can be assembled, and if the file is whole, the result has the same dump.
  @Test(arguments: Fixture.all)
  func dumpAndAssembleAreInverse(fixture: Fixture) throws {
    let file = try TemporaryFile(try fixture.bytes())
    guard let reader = try? TraceReader(path: file.path) else { return }
    let text = TraceText.dump(reader)
    let isWhole = try reader.snapshot().problems.isEmpty
    do {
      let copy = try TraceText.assemble(text)
      let copied = try TemporaryFile(copy)
      let second = TraceText.dump(try TraceReader(path: copied.path))
      if isWhole { #expect(statements(text) == statements(second)) }
    } catch let error as TraceError {
      // A wrong size can only be written with the statement 'set', so this dump cannot be
      // assembled.
      #expect(!isWhole, "\(error)")
    }
  }

  @Test func aWholeTraceIsTheSameBytesAgain() throws {
    let bytes = try Fixture.named("whole").bytes()
    let file = try TemporaryFile(bytes)
    #expect(try TraceText.assemble(TraceText.dump(try TraceReader(path: file.path))) == bytes)
  }

  @Test func showsNamesAndEventNumbers() throws {
    let file = try TemporaryFile(try Fixture.named("whole").bytes())
    let text = TraceText.dump(try TraceReader(path: file.path))
    #expect(text.contains("  4096: +100 signal-created signal=257 site=1 upstream=0 serial=1\n"))
    #expect(text.contains("header programName=\"watchtower\"\n"))
    #expect(text.contains("slot 4 serial=5 createdAt=1300 kind=timer state=active scheduler=1"))
    #expect(text.contains("image 0 base=0x400000 endOfText=0x480000 path=\"/usr/bin/watchtower\""))
  }

  @Test func hidesNothingInNames() throws {
    let file = try TemporaryFile(try Fixture.named("string-invalid-utf8").bytes())
    let text = TraceText.dump(try TraceReader(path: file.path))
    #expect(text.contains(#"string 1 "ma\xFFp\xC3""#))
    #expect(text.contains(#"string 3 "\u{001B}[31mred\u{202E}""#))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
  }

  /// Combining marks, single Hangul jamo and fillers are always escaped.
  @Test func escapesCharactersThatAreNotVisibleByThemselves() throws {
    let name = "e" + String(repeating: "\u{301}", count: 20) + "\u{1161}\u{3164}\u{FE0F}é한"
    let text = "string 1 \"\(name)\"\nsegment"
    let bytes = try TraceText.assemble(text)
    let file = try TemporaryFile(bytes)
    let dump = TraceText.dump(try TraceReader(path: file.path))
    let marks = String(repeating: #"\u{0301}"#, count: 20)
    #expect(dump.contains(#"string 1 "e\#(marks)\u{1161}\u{3164}\u{FE0F}é한""#), "\(dump)")
    #expect(try TraceText.assemble(dump) == bytes)
  }

  @Test(
    arguments: [
      ("\0\u{B}x", "line 1: '\0\u{B}x' is not a statement"),
      ("string 0 \"map\"", "line 1: string 0 is the empty one; a number from 1 on was expected"),
      ("sit 1 name=3", "line 1: 'sit' is not a statement"),
      ("\nsite 1 nam=3", "line 2: 'nam' is not a field of 'site'; one of name, file"),
      ("site 1 line=abc", "line 1: 'abc' is not a value for line; a number was expected"),
      ("site 1 line=99999999999", "does not fit in line, which holds up to 4294967295"),
      ("site 1 ended.8=1", "'ended.8' is not a field of 'site'"),
      ("site 1 name=\"abc", "a quoted text has no end"),
      ("string \"\\q\"", "a '\\' must be followed by"),
      ("string \"\\u{D800}\"", "'\\u{D800}' is not a character"),
      ("+1 next subscription=3", "a record stands before the first 'segment'"),
      ("segment\n+1 nextt subscription=3", "line 2: 'nextt' is not a record"),
      (
        "segment\n+1 next sub=3",
        "'sub' is not an argument of 'next'; one of subscription, sequence"
      ),
      ("segment\n+1 next subscription=\"x\"", "subscription is a number, not a text"),
      ("region slabs", "'region' wants the name of one: segments, slab"),
      ("region slab size=99999999999999", "ends beyond 1073741824 bytes"),
      ("slot 9999999 serial=1", "does not fit in slot"),
      ("segment 0\nset site.1.name 3", "the file has no region 'sites'"),
      ("segment 0\nraw offset 999999999 FF", "lie outside of the file"),
      ("segment 0\nraw offset 9 F", "'F' is not a run of bytes"),
      ("thread 1 name=\"a name of more than 16 bytes\"", "name holds 16 bytes, not 28"),
    ]
  )
  func saysWhatIsWrongAndWhere(text: String, message: String) {
    let error = #expect(throws: TraceError.self) { try TraceText.assemble(text) }
    #expect(error?.code == .malformedText)
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  /// The lines that are not comments, because comments contain the name of the file.
  private func statements(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }
  }
}
