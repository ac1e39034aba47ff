public import TraceFindings
import TraceModel

extension Explanation {
  /// The explanation as JSON text; `Documentation/JSON.md` documents the keys.
  public func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.field("subject", subject.rawValue)
      json.field("title", title)
      Self.write(steps, &json)
      json.field("answer", answer)
      json.array("known", known) { $0.field(nil, $1) }
      json.array("unknown", unknown) { $0.field(nil, $1) }
      Self.write(backtrace, &json)
      json.array("parts", parts) { json, part in
        json.object { json in
          json.field("title", part.title)
          Self.write(part.steps, &json)
          Self.write(part.backtrace, &json)
        }
      }
    }
    return json.text + "\n"
  }

  private static func write(_ backtrace: [String], _ json: inout JSONWriter) {
    json.array("backtrace", backtrace) { $0.field(nil, $1) }
    let owners = AsyncBacktraceText.owners(of: backtrace)
    json.array("frames", zip(backtrace, owners).map { $0 }) { json, frame in
      json.object { json in
        json.field("text", frame.0)
        json.field("owner", frame.1?.schemaName)
      }
    }
  }

  private static func write(_ steps: [Step], _ json: inout JSONWriter) {
    json.array("steps", steps) { json, step in
      json.object { json in
        json.field("name", step.name)
        json.field("location", step.location)
        json.key("entity", step.entity)
        json.field("note", step.note)
        json.field("event", step.event)
        json.field("isCulprit", step.isCulprit)
      }
    }
  }
}
