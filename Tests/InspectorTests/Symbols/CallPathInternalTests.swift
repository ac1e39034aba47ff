import Testing
import TraceReading

@testable import TraceModel

/// The caller of the function that makes a subscription.
@Suite struct CallPathInternalTests {
  private func path(
    _ lines: [(function: String, location: String?)],
    at site: String = "Help.swift:9"
  )
    -> CallPath
  {
    let frames = lines.map { line in
      var frame = SymbolizedFrame(address: 1)
      (frame.function, frame.location) = line
      return frame
    }
    let parts = site.split(separator: ":")
    return CallPath(frames, file: "App/\(parts[0])", line: UInt32(parts[1]) ?? 0)
  }

  private let library = ("Signal.subscribe()", "/x/Sources/Reactive/Core/Subscribe.swift:34")

  @Test func theCallerOfAHelperIsTheNextFunctionOfTheProgram() {
    let path = path([
      library, ("static Help.track(_:)", "/app/Help.swift:9"),
      ("thunk for @escaping () -> ()", nil), ("Tile.open()", "/app/Tile.swift:41"),
      ("main", "/app/main.swift:3"),
    ])
    #expect(path.subscriber?.text == "Help.track(_:) at Help.swift:9")
    #expect(path.caller?.label == "Tile.open()@Tile.swift:41")
    #expect(path.callers.map(\.function) == ["Tile.open()", "main"])
  }

  @Test func theCallerOfAClosureBelongsToTheFunctionThatContainsIt() {
    let path = path([
      library, ("closure #1 in closure #2 in static Help.within(_:)", "/app/Help.swift:9"),
      ("Feed.open(_:)", "/app/Feed.swift:5"), ("Help.within(_:)", "/app/Help.swift:8"),
      ("Tile.open()", "/app/Tile.swift:41"),
    ])
    #expect(path.caller?.text == "Tile.open() at Tile.swift:41")
  }

  @Test func aClosureThatOutlivesItsFunctionHasTheCallerThatRanIt() {
    let path = path([
      library, ("closure #1 in Help.later(_:)", "/app/Help.swift:9"),
      ("Queue.drain()", "/app/Queue.swift:5"),
    ])
    #expect(path.caller?.function == "Queue.drain()")
  }

  @Test func aHelperThatForwardsTheSourceLocationSubscribesInItsCaller() {
    let path = path(
      [
        library, ("Help.forward(_:file:line:)", "/app/Help.swift:20"),
        ("Tile.open()", "/app/Tile.swift:41"), ("Screen.show()", "/app/Screen.swift:7"),
      ],
      at: "Tile.swift:41"
    )
    #expect(path.subscriber?.function == "Tile.open()")
    #expect(path.caller?.function == "Screen.show()")
  }

  @Test func aFunctionThatCallsItselfIsNotItsCaller() {
    let path = path([
      ("Help.track(_:)", "/app/Help.swift:9"), ("Help.track(_:)", "/app/Help.swift:12"),
      ("Tile.open()", "/app/Tile.swift:41"),
    ])
    #expect(path.callers.map(\.function) == ["Tile.open()"])
  }

  @Test func codeOutsideAnyFunctionHasAName() {
    let path = path([
      ("Help.track(_:)", "/app/Help.swift:9"), ("closure #3 in ", "/app/main.swift:48"),
      ("async_Main", "/app/main.swift:47"),
    ])
    #expect(path.callers.map(\.function) == ["closure #3 in top-level code"])
  }

  @Test func withoutDebugInformationNoCallerIsNamed() {
    #expect(path([("Help.track(_:)", nil)]).caller == nil)
    #expect(
      path([("Help.track(_:)", nil)]).problem
        == "the part of the stack that was recorded shows no line of the program"
    )
    #expect(path([]).problem == nil)
    var frame = SymbolizedFrame(address: 1)
    frame.problem = "no symbols: '/app' is not there any more"
    #expect(CallPath([frame], file: "", line: 0).problem == frame.problem)
  }

  // MARK: Lookups of symbols

  @Test func lookupsHappenOnFirstAccessAndAllAtOnce() {
    var simulator = TraceSimulator()
    let site = simulator.site("subscribe", "Help.swift", 9, .root)
    for number in 0..<300 { _ = simulator.subscribe(site, chain: UInt32(1 + number % 3)) }
    var snapshot = simulator.finish()
    snapshot.addCallers(["Tile.open()", "Badge.show()", "Menu.show()"])
    let paths = CallPaths(snapshot)
    let moment = Moment(end: snapshot, at: nil)
    let rows = Inspection(moment, paths).subscriptionRows
    #expect(rows.count == 300)
    #expect(rows.map(\.key).count == 300)
    #expect(paths.lookedUpCount == 0)
    #expect(rows[1].caller?.text == "Badge.show() at Badge.swift:2")
    // The chain of each caller has two addresses, one of which is the same in all chains.
    #expect(paths.lookedUpCount == 4)
    #expect(Set(rows.map { $0.caller?.function }).count == 3)
    #expect(paths.lookedUpCount == 4)
  }

  @Test func ifStacksOfCallersWereNotRecordedNoCallerIsNamed() {
    var simulator = TraceSimulator()
    let site = simulator.site("subscribe", "Help.swift", 9, .root)
    _ = simulator.subscribe(site, chain: 1)
    var snapshot = simulator.finish()
    snapshot.addCallers(["Tile.open()"])
    snapshot.header.stackMode = .hops
    let moment = Moment(end: snapshot, at: nil)
    let row = Inspection(moment).subscriptionRows[0]
    #expect(row.caller == nil && row.callerProblem == nil)
  }

  @Test func stagesOfASubscriptionHaveItsCallerAndInnerSubscriptionsHaveNone() {
    var simulator = TraceSimulator()
    let site = simulator.site("subscribe", "Help.swift", 9, .root)
    let map = simulator.site("map", "Help.swift", 8)
    let root = simulator.subscribe(site, chain: 1)
    let stage = simulator.subscribe(map, downstream: root, chain: 1)
    _ = simulator.subscribe(map, downstream: stage, chain: 2)
    var snapshot = simulator.finish()
    snapshot.addCallers(["Tile.open()", "Badge.show()"])
    let moment = Moment(end: snapshot, at: nil)
    let rows = Inspection(moment).subscriptionRows
    #expect(rows.map { $0.caller?.function } == ["Tile.open()", "Tile.open()", nil])
  }
}

extension Inspection {
  fileprivate init(_ moment: Moment, _ paths: CallPaths? = nil) {
    self = InspectionBuilder(moment, window: nil, callPaths: paths).build { _ in [] }
  }
}
