import ReactiveTrace
import Testing

@Suite struct TraceOptionsTests {
  private static func options(_ change: (inout TraceOptions) -> Void) -> TraceOptions {
    var options = TraceOptions()
    change(&options)
    return options
  }

  @Test(
    arguments: [
      ("1", options { _ in }),
      ("events", options { _ in }),
      ("graph", options { $0.level = .graph }),
      ("level=graph", options { $0.level = .graph }),
      ("graph,startup=0", options { ($0.level, $0.startupSize) = (.graph, 0) }),
      ("startup=64K,level=graph", options { ($0.level, $0.startupSize) = (.graph, 64 << 10) }),
      ("graph,size=256K", options { ($0.level, $0.size) = (.graph, 256 << 10) }),
      ("1,size=1m", options { $0.size = 1 << 20 }),
      ("size=2G", options { $0.size = 2 << 30 }),
      ("size=300000", options { $0.size = 300000 }),
      ("stacks=off", options { $0.stacks = .off }),
      ("stacks=all , keep=0", options { ($0.stacks, $0.keep) = (.all, 0) }),
      ("max=graph", options { ($0.level, $0.maximumLevel) = (.graph, .graph) }),
      ("level=graph,max=events", options { $0.level = .graph }),
      ("mode=stream", options { $0.mode = .stream }),
      (
        "mode=stream,size=256K,limit=1T",
        options { ($0.mode, $0.size, $0.limit) = (.stream, 256 << 10, 1 << 40) }
      ),
      (",graph", options { $0.level = .graph }),
      ("values", options { ($0.level, $0.maximumLevel) = (.values, .values) }),
      ("graph,max=values", options { ($0.level, $0.maximumLevel) = (.graph, .values) }),
      ("crashes=on", options { $0.recordsCrashes = true }),
      ("crash", options { ($0.recordsCrashes, $0.reportsCrashes) = (true, true) }),
      (
        "graph,crashes=report",
        options {
          ($0.level, $0.recordsCrashes, $0.reportsCrashes) = (.graph, true, true)
        }
      ),
      ("keep=30s", options { $0.lookBack = 30 }),
      ("keep=5m,keep=3", options { ($0.lookBack, $0.keep) = (300, 3) }),
      ("keep=168h", options { $0.lookBack = 604_800 }),
      ("snapshot=usr2", options { $0.snapshotsOnSignal = true }),
      ("mode=ring,file=/tmp/a b=c.rxtrace", options { $0.path = "/tmp/a b=c.rxtrace" }),
    ] as [(String, TraceOptions)]
  )
  func optionsAreReadFromText(text: String, expected: TraceOptions) throws {
    #expect(try TraceOptions.parse(text) == expected)
  }

  @Test(arguments: ["", ",", "0", "off", "level=off", "0,size=1M", "0,events"])
  func recordingCanBeSwitchedOff(text: String) throws {
    #expect(try TraceOptions.parse(text) == nil)
  }

  @Test(
    arguments: [
      (
        "levl=events",
        [
          "'levl'", "did you mean 'level'?",
          "level, mode, size, limit, keep, file, stacks, hops, max, snapshot, crashes or startup",
        ]
      ),
      ("sizes=1M", ["'sizes'", "did you mean 'size'?"]),
      ("evnts", ["'evnts'", "did you mean 'events'?", "off, graph, events, values or crash"]),
      ("yes", ["'yes'", "key=value"]),
      ("level=graphs", ["'level'", "'graphs'", "did you mean 'graph'?"]),
      ("level=", ["'level' cannot be ''", "off, graph, events or values"]),
      ("limit=1G", ["'limit' is for mode=stream", "'size'"]),
      ("mode=stream,limit=1M", ["'limit' leaves no room", "a smaller 'size'"]),
      ("size=10ß", ["'size' cannot be '10ß'", "with K, M, G or T"]),
      ("mode=stream,limit=", ["'limit' cannot be ''", "256K to 1024T"]),
      ("mode=circle", ["'mode'", "'circle'", "ring or stream"]),
      ("snapshot=usr1", ["'snapshot'", "'usr1'", "did you mean 'usr2'?"]),
      ("size=128K", ["'size'", "'128K'", "256K to 16G"]),
      ("size=262143", ["256K to 16G"]),
      ("size=17G", ["256K to 16G"]),
      ("size=-1M", ["'-1M'"]),
      ("size=+1M", ["'+1M'"]),
      ("size=1T", ["'1T'"]),
      ("size=99999999999999999999G", ["256K to 16G"]),
      ("size=9223372036854775807G", ["256K to 16G"]),
      ("size=", ["'size'"]),
      ("graph,startup=1", ["'startup'", "'1'", "64K to 16G"]),
      ("startup=1M", ["'startup' is for level=graph"]),
      ("keep=many", ["'keep'", "'many'", "from 0 to 9999"]),
      ("keep=-1", ["from 0 to 9999"]),
      ("keep=0s", ["'keep' cannot be '0s'", "how far to look back, such as 30s, 5m or 2h"]),
      ("keep=169h", ["'169h'"]),
      ("keep=+1s", ["'+1s'"]),
      ("keep=1d", ["'1d'"]),
      ("keep=99999999999h", ["such as 30s, 5m or 2h"]),
      ("keep=1s,keep=2m", ["'keep=TIME' is given twice"]),
      ("keep=1s,mode=stream", ["'keep' with a time is for a ring"]),
      ("stacks=hop", ["'stacks'", "did you mean 'hops'?"]),
      ("file=", ["'file' is empty"]),
      ("level=events,max=graph", ["'level' is above 'max'"]),
      ("size=1M,size=2M", ["'size' is given twice"]),
      ("1,level=graph", ["'level' is given twice"]),
      ("level=\u{1B}[31mred", ["'?[31mred'"]),
      ("=", ["'' is not a key"]),
      (String(repeating: "x", count: 500), ["…'"]),
    ] as [(String, [String])]
  )
  func saysWhatIsWrong(text: String, parts: [String]) {
    let error = #expect(throws: TraceError.self) { try TraceOptions.parse(text) }
    guard let error else { return }
    #expect(error.code == .invalidOptions)
    for part in parts { #expect(error.description.contains(part), "\(error)") }
    #expect(!error.description.contains("\n"))
    #expect(error.description.utf8.count < 300)
  }

  @Test(arguments: ["foo", "o", "level=all", "mode=lines"])
  func aWordThatIsNotSimilarIsNotSuggested(text: String) throws {
    let error = #expect(throws: TraceError.self) { try TraceOptions.parse(text) }
    #expect(error?.description.contains("did you mean") == false, "\(error?.description ?? "")")
  }
}
