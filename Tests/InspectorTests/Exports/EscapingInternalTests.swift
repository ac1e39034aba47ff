import Testing

@testable import TraceExports

/// A combining mark and the character before it are one character to Swift, but not to the readers
/// of exports.
@Suite struct EscapingInternalTests {
  private static let mark = "\u{301}"

  @Test func charactersWithCombiningMarksAreEscaped() {
    let name = ["a,", "\"", "b"].joined(separator: Self.mark)
    #expect(CSVExport.field(name) == "\"a,\(Self.mark)\"\"\(Self.mark)b\"")
    #expect(CSVExport.field("=\(Self.mark)1").utf8.starts(with: "'=".utf8))
    #expect(DOTExport.quoted("a\"\(Self.mark)b") == "\"a\\\"\(Self.mark)b\"")
    #expect(MermaidExport.escaped("a;\(Self.mark)b") == "a#59;\(Self.mark)b")
    #expect("<\(Self.mark)b".escaping(["<": "&lt;"]) == "&lt;\(Self.mark)b")
  }

  @Test func otherTextStaysAsItIs() {
    for text in ["", "map@Feed.swift:81", "größer, 日本", "\r\n"] {
      #expect(text.escaping(["<": "&lt;"]) == text)
    }
  }
}
