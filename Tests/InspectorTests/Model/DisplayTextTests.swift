import Testing
import TraceModel

@Suite struct DisplayTextTests {
  @Test(
    arguments: [
      ("plain name", "plain name"), ("", ""), ("naïve Größe", "naïve Größe"),
      ("\u{1B}[31mred", "<U+001B>[31mred"), ("a\u{0}b", "a<U+0000>b"),
      ("two\nlines", "two<U+000A>lines"), ("crlf\r\nend", "crlf<U+000D><U+000A>end"),
      ("del\u{7F}", "del<U+007F>"), ("\u{9B}31m", "<U+009B>31m"),
      ("\u{9D}0;title", "<U+009D>0;title"),
      ("\u{202E}gnp.exe", "<U+202E>gnp.exe"), ("\u{2066}x\u{2069}", "<U+2066>x<U+2069>"),
      ("a\u{200B}b", "a<U+200B>b"), ("\u{FEFF}bom", "<U+FEFF>bom"), ("a\u{00AD}b", "a<U+00AD>b"),
      ("line\u{2028}sep", "line<U+2028>sep"), ("\u{E000}", "<U+E000>"),
      ("tag\u{E0041}", "tag<U+E0041>"), ("\u{301}", "<U+0301>"), ("\u{200D}", "<U+200D>"),
      ("👩‍👩‍👧", "👩<U+200D>👩<U+200D>👧"), ("❤️", "❤️"), ("漢字", "漢字"),
    ] as [(String, String)]
  )
  func controlCharactersAreSpelledOut(name: String, shown: String) {
    #expect(displayName(name) == shown)
  }

  @Test func everyDangerousScalarIsEscaped() {
    for value in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let category = scalar.properties.generalCategory
      guard [.control, .format, .lineSeparator, .paragraphSeparator].contains(category) else {
        continue
      }
      let shown = displayName("a\(Character(scalar))b")
      #expect(!shown.unicodeScalars.contains(scalar), "U+\(String(value, radix: 16))")
    }
  }

  @Test(arguments: [0, 1, 2, 3, 5, 8, 9, 10, 11, 40])
  func textIsNeverWiderThanRequested(columns: Int) {
    for name in ["abcdefghij", "漢字漢字漢字", "a漢b字c漢d字", "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", "\u{1B}\u{1B}\u{1B}", "éééééééééé"] {
      let shown = displayName(name, columns: columns)
      #expect(DisplayText.columns(shown) <= columns)
      if DisplayText.columns(displayName(name)) <= columns { #expect(!shown.hasSuffix("…")) }
    }
  }

  @Test func textsLongerThanAnyScreenAreCut() {
    #expect(displayName(String(repeating: "x", count: 4_000_000), columns: 10) == "xxxxxxxxx…")
  }

  @Test func theCombiningMarksOnOneLetterAreLimited() {
    let pile = "a" + String(repeating: "\u{301}", count: 1000)
    #expect(displayName(pile).unicodeScalars.count < 40)
  }

  @Test(
    arguments: [
      (40, "search.debounce(.seconds(1), …).take(3)"), (38, "…debounce(.seconds(1), …).take(3)"),
      (33, "…debounce(.seconds(1), …).take(3)"), (32, "…take(3)"), (8, "…take(3)"), (7, "…take(…"),
      (1, "…"), (0, ""),
    ]
  )
  func theNameOfASignalLosesOperatorsAtItsBeginning(columns: Int, shown: String) {
    let name = "search.debounce(.seconds(1), …).take(3)"
    #expect(displayName(endOf: name, columns: columns) == shown)
  }

  @Test func aShortenedNameHasNoControlCharacters() {
    #expect(displayName(endOf: "a\u{1B}.b(\u{7})") == "a<U+001B>.b(<U+0007>)")
    #expect(displayName(endOf: "one\u{1B}two.b(1)", columns: 6) == "…b(1)")
    #expect(displayName(endOf: "merge(a.b(1), c)", columns: 8) == "merge(a…")
  }

  @Test func textIsShortenedInTheMiddle() {
    #expect(
      DisplayText.shortened("distinctUntilChanged@Feed.swift:81", to: 21) == "distinctUn…d.swift:81"
    )
    #expect(DisplayText.shortened("short", to: 21) == "short")
    #expect(DisplayText.columns(DisplayText.shortened("漢字漢字漢字", to: 7)) <= 7)
    #expect(DisplayText.shortened("abc", to: 1) == "…")
    #expect(DisplayText.shortened("abc", to: 0).isEmpty)
  }
}
