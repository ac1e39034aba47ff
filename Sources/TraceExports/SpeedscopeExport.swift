import TraceModel
import TraceReading

/// Flame graphs of live subscriptions and of their events, for speedscope.app.
///
/// The stack of a subscription consists of its asynchronous backtrace, if there is one, and the
/// lines of code from its root subscription up to its own. Each hop (a passage of work to another
/// queue or task) is a separate frame.
struct SpeedscopeExport {
  private typealias Frame = ExportStacks.Frame

  private let inspection: Inspection
  private let program: String
  private var frames: [Frame] = []
  private var places: [Frame: Int] = [:]
  private var samples: [(stack: [Int], live: UInt64, events: UInt64)] = []

  init(_ snapshot: TraceSnapshot, _ inspection: Inspection) {
    self.inspection = inspection
    program = displayName(snapshot.header.programName)
    var stacks = ExportStacks(snapshot)
    var counts: [[Frame]: (live: UInt64, events: UInt64)] = [:]
    for row in inspection.subscriptions where row.state?.isLive != false {
      let stack = stacks.backtrace(row.chain) + path(row)
      let old = counts[stack] ?? (0, 0)
      counts[stack] = (old.live + 1, old.events.saturatingAdding(row.events ?? 0))
    }
    for (stack, count) in counts {
      samples.append((stack.map { place($0) }, count.live, count.events))
    }
    samples.sort { $0.stack.lexicographicallyPrecedes($1.stack) }
  }

  private mutating func place(_ frame: Frame) -> Int {
    if let place = places[frame] { return place }
    frames.append(frame)
    places[frame] = frames.count - 1
    return frames.count - 1
  }

  /// The lines of code from the root subscription to the subscription itself.
  private func path(_ row: SubscriptionRow) -> [Frame] {
    var path: [Frame] = []
    var here: SubscriptionRow? = row
    while let row = here, path.count < 256 {
      let site = inspection.site(row.site)
      path.append(
        Frame(
          name: displayName("\(row.name)@\(row.location)"),
          file: displayName(site?.file ?? ""),
          line: UInt64(site?.line ?? 0)
        )
      )
      here = row.downstream.flatMap(inspection.subscription)
    }
    return path.reversed()
  }

  var text: String {
    var json = JSONWriter(linesTo: 1)
    json.object { json in
      json.field("$schema", "https://www.speedscope.app/file-format-schema.json")
      json.field("name", program)
      json.field("exporter", "rxtop")
      json.object("shared") { json in
        json.array("frames", frames) { json, frame in
          json.object { json in
            json.field("name", frame.name)
            if !frame.file.isEmpty { json.field("file", frame.file) }
            if frame.line > 0 { json.field("line", frame.line) }
            if let owner = frame.owner { json.field("owner", owner) }
          }
        }
      }
      json.array("profiles", ["live subscriptions", "events of live subscriptions"]) { json, name in
        let weights = samples.map { name.hasPrefix("live") ? $0.live : $0.events }
        json.object { json in
          json.field("type", "sampled")
          json.field("name", name)
          json.field("unit", "none")
          json.field("startValue", 0)
          json.field("endValue", weights.reduce(0 as UInt64) { $0.saturatingAdding($1) })
          json.array("samples", samples) { json, sample in
            json.list(sample.stack)
          }
          json.array("weights", weights) { $0.field(nil, $1) }
        }
      }
    }
    return json.text + "\n"
  }
}
