import Testing

@testable import ReactiveTrace

/// Tests how the levels of places are parsed, and which of them applies to a line.
@Suite struct PlaceOptionsTests {
  private typealias Place = TraceOptions.Place

  @Test(
    arguments: [
      ("events:Shop", .events, [Place(.events, module: "Shop")], "events:Shop"),
      (
        "graph,values:Checkout.swift", .graph, [Place(.values, file: "Checkout.swift")],
        "values:Checkout.swift"
      ),
      (
        "graph , events : Shop/Checkout.swift", .graph,
        [Place(.events, module: "Shop", file: "Checkout.swift")], "events:Shop/Checkout.swift"
      ),
      (
        "events:Checkout+Cart.swift:42,graph:Noise,graph", .graph,
        [Place(.events, file: "Checkout+Cart.swift", line: 42), Place(.graph, module: "Noise")],
        "events:Checkout+Cart.swift:42,graph:Noise"
      ),
      (
        "events:Shop/A.swift:7,stacks=off", .events,
        [Place(.events, module: "Shop", file: "A.swift", line: 7)], "events:Shop/A.swift:7"
      ),
      ("graph:a=b.swift", .events, [Place(.graph, file: "a=b.swift")], "graph:a=b.swift"),
      ("events:Größe", .events, [Place(.events, module: "Größe")], "events:Größe"),
      ("events:Shop,", .events, [Place(.events, module: "Shop")], "events:Shop"),
    ] as [(String, TraceLevel, [TraceOptions.Place], String)]
  )
  func placesAreRead(
    _ text: String,
    _ level: TraceLevel,
    _ places: [TraceOptions.Place],
    _ written: String
  ) throws {
    let options = try #require(try TraceOptions.parse(text))
    #expect(options.level == level && options.places == places)
    #expect(options.placesText == written)
    #expect(try TraceOptions.parse(written)?.places == places)
  }

  @Test func aLevelOfAPlaceDoesNotRaiseTheHighestLevelOfTheWhole() throws {
    let options = try #require(try TraceOptions.parse("graph,values:Checkout.swift"))
    #expect(options.maximumLevel == .events)
    #expect(try TraceOptions.parse("0,events:Shop") == nil)
  }

  @Test(
    arguments: [
      (
        "evnts:Shop",
        [
          "'evnts' is not a level (did you mean 'events'?)",
          "graph, events or values before ':Shop'",
        ]
      ),
      ("file:/tmp/x.rxtrace", ["'file' is not a level", "graph, events or values"]),
      ("off:Noise.swift", ["'off' is not a level of a place", "write 'graph:Noise.swift'"]),
      ("events:", ["'events:' names no place", "Checkout.swift:42"]),
      ("events:Shop/", ["names no place"]),
      ("events::42", ["names no place"]),
      ("events:/Checkout.swift", ["is a path", "'Checkout.swift'"]),
      ("events:Sources/Shop/Checkout.swift", ["is a path", "expected 'Checkout.swift'"]),
      ("events:Shop/Checkout", ["names no file", "'Checkout.swift'"]),
      ("events:my-tool", ["'my-tool' is not the name of a module", "'my_tool'"]),
      ("events:*", ["'*' is not the name of a module"]),
      ("events:my-tool/A.swift", ["'my-tool' is not the name of a module"]),
      ("events:Shop:42", ["is a line without a file", "Checkout.swift:42"]),
      ("events:A.swift:", ["no line number", "from 1 on"]),
      ("events:A.swift:0", ["no line number"]),
      ("events:A.swift:+1", ["no line number"]),
      ("events:A.swift:1:2", ["no line number"]),
      ("events:A.swift:99999999999", ["no line number"]),
      ("off,events:Shop", ["'off' records nothing, not even", "write 'graph' to record"]),
      ("max=graph,events:Shop", ["'events' of a place is above 'max'", "up to graph"]),
      ("events:\u{1B}[31mred", ["'?[31mred' is not the name of a module"]),
      ("events:" + String(repeating: "x/", count: 200), ["…'"]),
    ] as [(String, [String])]
  )
  func mistakesInAPlaceAreExplained(text: String, parts: [String]) {
    let error = #expect(throws: TraceError.self) { try TraceOptions.parse(text) }
    guard let error else { return }
    #expect(error.code == .invalidOptions)
    for part in parts { #expect(error.description.contains(part), "\(error)") }
    #expect(!error.description.contains("\n"))
    #expect(error.description.utf8.count < 300)
  }

  @Test(
    arguments: [
      ("events:Shop", "Shop/A.swift", 1, .events),
      ("events:Shop", "Shopping/A.swift", 1, nil),
      ("events:A.swift", "Shop/A.swift", 1, .events),
      ("events:A.swift", "Shop/BA.swift", 1, nil),
      ("events:A.swift", "A.swift", 1, .events),
      ("events:Shop", "A.swift", 1, nil),
      // The more specific place applies, in any order.
      ("events:A.swift,graph:Shop", "Shop/A.swift", 1, .events),
      ("graph:Shop,events:A.swift", "Shop/A.swift", 1, .events),
      ("events:Shop/A.swift,graph:A.swift", "Shop/A.swift", 1, .events),
      ("values:A.swift:7,graph:Shop/A.swift", "Shop/A.swift", 7, .values),
      ("values:A.swift:7,graph:Shop/A.swift", "Shop/A.swift", 8, .graph),
      ("values:Shop/A.swift:7,graph:A.swift:7", "Shop/A.swift", 7, .values),
      ("values:Shop/A.swift:7,graph:A.swift:7", "Else/A.swift", 7, .graph),
      // Of equally specific places, the last applies.
      ("events:Shop,graph:Shop", "Shop/A.swift", 1, .graph),
      ("graph:A.swift,events:A.swift", "Shop/A.swift", 1, .events),
    ] as [(String, String, UInt32, TraceLevel?)]
  )
  func theMostSpecificPlaceApplies(
    _ text: String,
    _ file: String,
    _ line: UInt32,
    _ level: TraceLevel?
  ) throws {
    let options = try #require(try TraceOptions.parse(text))
    #expect(options.placeLevel(fileID: file, line: line) == level)
  }

  @Test func offForAPlaceIsTreatedAsGraph() {
    var options = TraceOptions()
    options.places = [.init(.off, module: "Noise")]
    #expect(options.placeLevel(fileID: "Noise/A.swift", line: 1) == .graph)
    #expect(options.placesText == "graph:Noise")
  }
}
