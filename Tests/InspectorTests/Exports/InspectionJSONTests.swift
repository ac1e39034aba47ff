import Foundation
import Testing
import TraceFindings

@testable import TraceExports
@testable import TraceModel
import TraceReading

@Suite struct InspectionJSONTests {
  @Test func everyKeyIsDocumentedInItsPlaceAndOrder() throws {
    let documented = try Self.documentedKeys()
    let known = FindingBaseline.Known(
      fingerprint: "0123456789abcdef",
      looseFingerprint: "fedcba9876543210",
      level: .leak,
      note: "growth-at-site subscribe Pane.swift:94"
    )
    let emitted = Self.emittedKeys(InspectionJSON.text(.everything, gone: [known]))
    #expect(Set(documented.keys) == Set(emitted.keys))
    for (place, keys) in documented {
      #expect(
        emitted[place] == keys,
        "in \(place): if the columns are right, run ColumnDocumentTests with UPDATE_GOLDEN=1, then this again"
      )
    }
  }

  @Test func writtenJSONIsReadBackUnchanged() throws {
    let object = try Self.parse(.everything)
    let program = try #require(object["program"] as? [String: Any])
    #expect(program["status"] as? String == "gone")
    #expect(program["endedAgo"] as? Int == 3_000_000_000)
    #expect((program["ending"] as? [String: Any])?["exitStatus"] as? Int == 3)
    #expect(program["startedAt"] as? UInt64 == 1_700_000_000_123_456_789)
    #expect((program["exactWindow"] as? [String: Int]) == ["from": 5, "to": 7_000_000_000])
    let site = try #require((object["sites"] as? [[String: Any]])?.first)
    #expect(site["traits"] as? [String] == ["root", "endless"])
    #expect(site["live"] as? UInt64 == UInt64.max)
    #expect((site["endedByReason"] as? [String: Any])?["cancelled"] as? Int == 3)
    let subscription = try #require((object["subscriptions"] as? [[String: Any]])?.first)
    #expect((subscription["key"] as? [String: Int]) == ["serial": 12, "id": 4_194_310])
    #expect((subscription["upstreams"] as? [[String: Any]])?.count == 2)
    #expect(subscription["endReason"] as? String == "sourceGone")
    #expect(subscription["rate"] as? Double == 2.5)
    let finding = try #require((object["findings"] as? [[String: Any]])?.first)
    let evidence = try #require(finding["evidence"] as? [String: Any])
    #expect((evidence["events"] as? [Int])?.count == Evidence.eventLimit)
    #expect(evidence["eventCount"] as? Int == 40)
  }

  @Test func unknownValuesAreNull() throws {
    var inspection = Inspection()
    inspection.sites = [SiteRow()]
    inspection.subscriptions = [
      SubscriptionRow(key: EntityKey(id: TraceID(rawValue: 9), serial: 0))
    ]
    let object = try Self.parse(inspection)
    let program = try #require(object["program"] as? [String: Any])
    #expect(program["exactWindow"] is NSNull)
    #expect(program["endedAgo"] is NSNull)
    let site = try #require((object["sites"] as? [[String: Any]])?.first)
    #expect(site["live"] is NSNull)
    #expect((site["endedByReason"] as? [String: Any])?["failed"] is NSNull)
    let subscription = try #require((object["subscriptions"] as? [[String: Any]])?.first)
    #expect(subscription["state"] is NSNull)
    #expect(subscription["signal"] is NSNull)
    #expect((subscription["key"] as? [String: Any])?["serial"] is NSNull)
    #expect((subscription["key"] as? [String: Any])?["id"] as? Int == 9)
  }

  @Test func ratesThatAreNotNumbersAreNull() throws {
    for rate in [Double.nan, .infinity, -.infinity] {
      var inspection = Inspection()
      var row = SchedulerRow()
      row.rate = rate
      inspection.schedulers = [row]
      let rows = try #require(try Self.parse(inspection)["schedulers"] as? [[String: Any]])
      #expect(rows.first?["rate"] is NSNull)
    }
  }

  /// The names are not arguments of the test, because arguments are printed unescaped.
  private static let hostileNames = [
    "\u{1B}]0;owned\u{7}", "\u{9B}31m", "a\u{202E}b", "\u{2066}x\u{2069}", "zero\u{200B}width",
    "\u{FEFF}", "line\u{2028}break\r\n\ttab", "quote\" back\\slash / slash", "\u{0}\u{7F}",
    "tag\u{E0041}", "ä 日本 👩‍👩‍👧 e\u{301}", "", "\u{FFFF}\u{10FFFF}\u{E000}",
  ]

  @Test func hostileNamesAreEscapedAndReadBackUnchanged() throws {
    for name in Self.hostileNames {
      var inspection = Inspection()
      inspection.program.name = name
      inspection.program.losses = [name, name]
      let text = InspectionJSON.text(inspection)
      let program = try #require(try Self.parse(inspection)["program"] as? [String: Any])
      // The names are compared by scalar, because `==` also accepts canonically equal strings.
      let read = try #require(program["name"] as? String)
      #expect(Array(read.unicodeScalars) == Array(name.unicodeScalars))
      #expect((program["losses"] as? [String])?.count == 2)
      let unseen = text.unicodeScalars.filter { scalar in
        switch scalar.properties.generalCategory {
        case .control: scalar != "\n"
        case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
      }
      #expect(unseen.isEmpty)
    }
  }

  @Test func eachRowOfATableIsOnASeparateLine() {
    var inspection = Inspection()
    inspection.sites = [SiteRow(), SiteRow(), SiteRow()]
    let lines = InspectionJSON.text(inspection).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("    {\"id\": 0, \"name\": ") } == 3)
    #expect(lines.contains("  \"timers\": [],"))
    #expect(InspectionJSON.text(inspection).hasSuffix("\n}\n"))
  }

  @Test func anExtremeDurationDoesNotOverflow() throws {
    var inspection = Inspection()
    inspection.instant.time = .seconds(Int64.max)
    let instant = try #require(try Self.parse(inspection)["instant"] as? [String: Any])
    #expect(instant["time"] as? Int64 == .max)
  }

  // MARK: Reading back

  private static func parse(_ inspection: Inspection) throws -> [String: Any] {
    let data = Data(InspectionJSON.text(inspection).utf8)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// The keys below each heading of the document, by the path of the object in the heading.
  private static func documentedKeys() throws -> [String: [String]] {
    let path = #filePath.components(separatedBy: "/Tests/")[0] + "/Documentation/JSON.md"
    let document = try String(contentsOfFile: path, encoding: .utf8)
    var keys: [String: [String]] = [:]
    // A heading without a path begins the tables of other objects, which are skipped.
    var place: String?
    for line in document.split(separator: "\n") {
      let quoted = line.split(separator: "`", omittingEmptySubsequences: false)
      if line.hasPrefix("## ") {
        place = line.hasPrefix("## `") && quoted.count > 2 ? String(quoted[1]) : nil
      } else if line.hasPrefix("| `"), quoted.count > 2, let place {
        keys[place, default: []].append(String(quoted[1]))
      }
    }
    return keys
  }

  /// The keys of each object in order, by the path of the object, without those of entity keys.
  ///
  /// The text is parsed here because Foundation's parser does not keep the order of keys.
  private static func emittedKeys(_ text: String) -> [String: [String]] {
    var keys: [String: [String]] = [:]
    var path: [String] = []
    var key = ""
    var scanner = Substring(text)
    while let character = scanner.popFirst() {
      switch character {
      case "{", "[":
        path.append(key + (character == "[" ? "[]" : ""))
        key = ""
      case "}", "]": path.removeLast()
      case "\"":
        var name = ""
        while let next = scanner.popFirst(), next != "\"" {
          name.append(next)
          if next == "\\", let escaped = scanner.popFirst() { name.append(escaped) }
        }
        guard scanner.hasPrefix(":") else { continue }
        key = name
        let place = path.filter { !$0.isEmpty }.joined(separator: ".")
        guard !place.isEmpty, name != "serial", !(keys[place]?.contains(name) ?? false) else {
          continue
        }
        keys[place, default: []].append(name)
      default: break
      }
    }
    // Without `serial`, which was skipped above, entity keys have only `id`.
    return keys.filter { $0.value != ["id"] }
  }
}
