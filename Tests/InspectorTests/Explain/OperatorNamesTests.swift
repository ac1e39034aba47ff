import Foundation
import Testing
import TraceReading

/// The traits of an operator are recorded at its sites; older traces lack them, so readers take
/// them from `EarlierTraits`.
///
/// The two must agree, and no other code may recognise an operator by its name.
@Suite struct OperatorNamesTests {
  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The capture groups of each match in the Swift files of a folder, documentation comments aside,
  /// and the name of the file of the match.
  private func matches(
    _ pattern: String,
    in folder: String
  ) throws -> [(groups: [String], file: String)] {
    let expression = try NSRegularExpression(
      pattern: pattern,
      options: [.dotMatchesLineSeparators, .anchorsMatchLines]
    )
    let root = Self.package.appending(path: folder)
    let files = try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    )
    var found: [(groups: [String], file: String)] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
        .split(separator: "\n").filter { !$0.contains("///") }.joined(separator: "\n")
      let all = NSRange(text.startIndex..., in: text)
      for match in expression.matches(in: text, range: all) {
        let groups = (1..<match.numberOfRanges).map { group in
          Range(match.range(at: group), in: text).map { String(text[$0]) } ?? ""
        }
        found.append((groups, file.lastPathComponent))
      }
    }
    return found
  }

  /// The operator of each site in the sources, with the traits it is declared with.
  private func sites() throws -> [(name: String, traits: SiteTraits, file: String)] {
    let known = Dictionary(uniqueKeysWithValues: SiteTraits.names)
    let pattern =
      #"\bSite\(\s*"([^"]+)",(?:\s*[^,]+,){2}\s*[^,)]+(?:\([^)]*\))?"#
      + #"(?:,\s*(\[[^\]]*\]|\.\w+|Self\.\w+\([^)]*\)))?\s*\)(?=[,\s)])"#
    let folders = ["Sources/Reactive", "Sources/ReactiveFoundation", "Integrations"]
    return try folders.flatMap { folder in
      try matches(pattern, in: folder).map { groups, file in
        let words = groups[1].matches(of: /\.(\w+)/).map { String($0.output.1) }
        // A trait that depends on the call says nothing about the operator.
        let ofTheCall: Set = [
          "rootTraits", "flatteningTraits", "waitingTraits", "replayingTraits",
        ]
        let traits = words.filter { !ofTheCall.contains($0) }.map { known[$0] }
        #expect(!traits.contains(nil), "\(groups[0]) in \(file): \(words)")
        // Fates, which say what an operator does with a value, and input orders are numbers in bit
        // fields: two combined would be a third number.
        #expect(traits.count { $0?.fate != .unknown } <= 1, "\(groups[0]) in \(file): \(words)")
        #expect(traits.count { $0?.inputs != .source } <= 1, "\(groups[0]) in \(file): \(words)")
        return (groups[0], SiteTraits(traits.compactMap { $0 }), file)
      }
    }
  }

  @Test func everySiteHasTheTraitsOfTheTable() throws {
    let sites = try sites()
    let names = Set(sites.map(\.name))
    #expect(names.contains("flatMap") && names.count > 200 && sites.count > 300)
    // An operator that is not in the table is newer than the traces for which the table exists.
    let odd = sites.filter { site in
      EarlierTraits.table[site.name].map { site.traits.subtracting(.early) != $0 } ?? false
    }
    #expect(odd.map { "\($0.name) in \($0.file): \($0.traits)" } == [])
    #expect(EarlierTraits.table.keys.filter { !names.contains($0) } == [])
  }

  /// The names of operators are only for people to read.
  @Test func nothingElseRecognisesAnOperatorByItsName() throws {
    let names = Set(try sites().map(\.name))
    let folders = ["TraceModel", "TraceFindings", "TraceExports", "InspectorUI", "rxtop"]
    // Comparisons with a literal: after or before `==`, in a case, as a prefix or suffix, in
    // `contains`, or in a set.
    let patterns = [
      #"[=!]= "([^"\n]+)""#, #""([^"\n]+)" [=!]= "#, #"case ((?:"[^"\n]*",? ?)+)"#,
      #"has(?:Pre|Suf)fix\(\s*"([^"\n]+)""#, #"contains\("([^"\n]+)"\)"#,
      #"(?:Set<String>|: \[String\]) = \[([^\]]*)\]"#,
    ]
    var used: [String] = []
    for folder in folders {
      for pattern in patterns {
        for (groups, file) in try matches(pattern, in: "Sources/\(folder)") {
          let texts =
            groups[0].contains("\"")
            ? groups[0].split(separator: "\"").map(String.init) : [groups[0]]
          used += texts.filter { text in names.contains { $0 == text || $0.hasPrefix("\(text)(") } }
            .map { "\($0) in \(file)" }
        }
      }
    }
    // These are words of commands, settings and baselines that happen to be names of operators.
    let others: Set = [
      "filter in Model+Palette.swift", "filter in Settings.swift",
      "never in FindingBaseline.swift",
    ]
    #expect(used.filter { !others.contains($0) } == [])
    #expect(Set(used) == others, "one of these is not looked at")
  }
}
