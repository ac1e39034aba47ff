import Testing
import TraceReading

/// Reads each trace in the folder `Fixtures`, and compares the result with its `expect` section.
@Suite struct FixtureTests {
  @Test func thereAreFixtures() {
    #expect(Fixture.all.count >= 40)
  }

  @Test(arguments: Fixture.all)
  func everyFixtureIsReadAsExpected(fixture: Fixture) throws {
    #expect(!fixture.expectations.isEmpty, "a fixture without an 'expect' section tests nothing")
    let file = try TemporaryFile(try fixture.bytes())
    let snapshot: TraceSnapshot
    do throws(TraceError) {
      snapshot = try TraceReader(path: file.path).snapshot()
    } catch {
      try expectRefusal(error, fixture)
      return
    }
    let problems = snapshot.problems.map(\.message)
    var patterns: [String] = []
    for line in fixture.expectations {
      let words = line.split(separator: " ", maxSplits: 1)
      let argument = words.count > 1 ? words[1] : ""
      switch words[0] {
      case "error": Issue.record("\(line), but the trace was read")
      case "problem":
        let pattern = String(argument.dropFirst().dropLast())
        patterns.append(pattern)
        let regex = try Regex(pattern)
        #expect(problems.contains { $0.firstMatch(of: regex) != nil }, "\(line): \(problems)")
      case "no": #expect(snapshot.exactFrom == nil, "\(line)")
      case "exactFrom": #expect(snapshot.exactFrom == UInt64(argument), "\(line)")
      case "site": try expectName(argument, in: snapshot)
      default: try expectCount(words[0], Int(argument), in: snapshot)
      }
    }
    // Every reported problem has to be expected.
    for problem in problems {
      let isExpected = try patterns.contains { problem.firstMatch(of: try Regex($0)) != nil }
      #expect(isExpected, "not expected: \(problem)")
    }
  }

  @Test func levelsOfPlacesAreRead() throws {
    let fixture = try #require(Fixture.all.first { $0.name == "places" })
    let file = try TemporaryFile(try fixture.bytes())
    let trace = try TraceReader(path: file.path).snapshot()
    #expect(trace.header.places == "graph:Noise,values:Shop" && trace.header.lookBack == 30)
    #expect(trace.sites.map(\.level) == [nil, nil, .graph, .values, .graph])
  }

  private func expectRefusal(_ error: TraceError, _ fixture: Fixture) throws {
    let pattern = try #require(
      fixture.expectations.first { $0.hasPrefix("error ") },
      "refused: \(error)"
    )
    let regex = try Regex(String(pattern.dropFirst("error /".count).dropLast()))
    #expect(error.message.firstMatch(of: regex) != nil, "\(error)")
  }

  private func expectCount(_ name: Substring, _ count: Int?, in snapshot: TraceSnapshot) throws {
    let counts = [
      "problems": snapshot.problems.count, "records": snapshot.records.count,
      "sites": snapshot.sites.count, "slots": snapshot.slots.count,
      "chains": snapshot.chains.count, "marks": snapshot.marks.count,
      "segments": snapshot.segments.count, "symbols": snapshot.symbols.count,
    ]
    let found = try #require(counts[String(name)], "'\(name)' is no expectation")
    #expect(found == count, "\(name): \(snapshot.problems)")
  }

  /// Expects the name of a site, given as `1 "name"` in the text form of a trace.
  private func expectName(_ argument: Substring, in snapshot: TraceSnapshot) throws {
    let words = argument.split(separator: " ", maxSplits: 1)
    let index = try #require(Int(words[0]))
    let name = try #require(
      snapshot.sites.indices.contains(index) ? snapshot.sites[index].name : nil
    )
    // This uses the text form, because its reader decodes quoted words.
    let bytes = try TraceText.assemble("string 1 \(words[1])\nsite 1 name=1\nsegment")
    let file = try TemporaryFile(bytes)
    #expect(name == (try TraceReader(path: file.path).snapshot()).sites[1].name)
  }
}
