import TraceModel
public import TraceReading

/// Where an error came from, which path it took, and who handled it.
public enum FailureExplanation {
  /// Follows an error.
  ///
  /// - Parameters:
  ///   - number: The number of any record of the error; nil for the last error in the trace.
  ///   - snapshot: The trace.
  /// - Returns: The path that the error took, and who handled it.
  /// - Throws: ``ExplainError`` if there is no such record.
  /// - Complexity: O(records).
  public static func of(
    _ number: UInt64?,
    in snapshot: TraceSnapshot
  ) throws(ExplainError) -> Explanation {
    let facts = FindingFacts(snapshot)
    let paths = ErrorPaths(facts)
    guard let number else {
      guard let last = paths.all.last else {
        throw ExplainError("the records of the trace contain no error")
      }
      return explanation(last, facts)
    }
    guard let path = paths.all.last(where: { $0.stops.contains { $0.number == number } }) else {
      throw ExplainError(
        "event #\(number) is not an error in the trace; rxtop explain FILE error explains the last one"
      )
    }
    return explanation(path, facts)
  }

  private static func explanation(_ path: ErrorPaths.Path, _ facts: FindingFacts) -> Explanation {
    let type = path.type.isEmpty ? "an error" : path.type
    var explanation = Explanation(.error, "\(type), on its way from where it was seen first")
    explanation.chain = path.chain
    for (index, stop) in path.stops.enumerated() {
      let site = stop.site.map { facts.site($0) }
      explanation.steps.append(
        Explanation.Step(
          name: site?.name ?? "?",
          location: site?.location ?? "?",
          entity: stop.key,
          note: index == 0 ? "began here" : "",
          event: stop.number,
          isCulprit: index == 0
        )
      )
    }
    let origin =
      path.stops.first?.site.map { facts.site($0).place } ?? "an unknown place"
    switch path.end {
    case .root(let site):
      let row = facts.site(site)
      let isUnhandled = row.traits.contains(.unhandled)
      explanation.answer =
        "It began at \(origin) and reached \(row.place), "
        + (isUnhandled ? "where nothing handles it." : "which the program subscribed with.")
      if !isUnhandled {
        explanation.unknown.append("what the program did with it there")
      }
    case .handled(let site):
      let row = facts.site(site)
      explanation.answer =
        "It began at \(origin) and was handled by \(row.place): it went no further."
      if row.traits.contains(.retries) {
        explanation.known.append("\(row.place) subscribes to its source again")
      }
    case .unknown:
      explanation.answer = "It began at \(origin); what received it next is not in the trace."
      explanation.unknown.append("what became of it: the records after it are missing")
    }
    if path.hop != nil {
      explanation.known.append("the work in which it happened was scheduled as the backtrace shows")
    } else if path.chain != 0 {
      explanation.known.append(
        "it happened in no scheduled work; the backtrace is that of the subscription"
      )
    } else {
      explanation.unknown.append("on whose behalf it happened: no backtrace was recorded")
    }
    if let text = path.text {
      explanation.known.append("it is described as: \(text)")
    } else {
      explanation.unknown.append("what the error contains: a trace has its type only")
    }
    return explanation
  }
}

/// The paths of all errors in a trace.
struct ErrorPaths {
  struct Stop {
    var number: UInt64
    var site: UInt32?
    var key: EntityKey
  }

  enum End {
    case root(UInt32)
    case handled(UInt32)
    case unknown
  }

  struct Path {
    var type: String
    var stops: [Stop]
    var end = End.unknown
    /// The chain, or asynchronous backtrace, of the work in which the error occurred, or else of
    /// the subscription.
    var chain: UInt32
    var hop: UInt32?
    /// The beginning of the error's description, if it was recorded.
    var text: String?
  }

  private(set) var all: [Path] = []

  init(_ facts: FindingFacts) {
    let store = facts.entities()
    var open: [TraceID: Int] = [:]
    var hops: [UInt32: [UInt32]] = [:]
    var chains: [UInt32: UInt32] = [:]
    // The latest description of an error that each thread has recorded; it is followed by the
    // record of the error itself.
    var texts: [UInt32: TraceRecord] = [:]
    var gaps = facts.gaps
    for (row, record) in facts.records.enumerated() {
      // Work that the thread had begun before a gap in its records may have ended in the gap.
      if gaps.followsGap(record) { (hops[record.thread], texts[record.thread]) = (nil, nil) }
      switch record.kind {
      case .hopScheduled: chains[record.id] = record.argument
      case .hopBegan: hops[record.thread, default: []].append(record.id)
      case .hopEnded: _ = hops[record.thread]?.popLast()
      case .failureText: texts[record.thread] = record
      // Errors are described only at level `values`, so an earlier description may belong to
      // another error after a change of level.
      case .levelChanged: texts = [:]
      case .failed:
        let life = store.subscription(record.entity, at: row)
        let place: Int
        if let known = open.removeValue(forKey: record.entity) {
          place = known
        } else {
          let hop = hops[record.thread]?.last
          let chain = hop.flatMap { chains[$0] } ?? life?.chain ?? 0
          all.append(
            Path(type: facts.failureName(record.argument), stops: [], chain: chain, hop: hop)
          )
          place = all.count - 1
          if record.thread != 0, let text = texts[record.thread], text.id == record.argument {
            all[place].text = text.valueText.map { text, byteCount in
              byteCount > Layout.Record.valueByteCount ? text + "…" : text
            }
          }
        }
        all[place].stops.append(
          Stop(
            number: record.number,
            site: life?.site,
            key: life?.key ?? EntityKey(id: record.entity, serial: 0)
          )
        )
        all[place].end = .unknown
        guard let life else { continue }
        if facts.site(life.site).traits.contains(.root) {
          all[place].end = .root(life.site)
        } else if let next = store.subscription(life.link, at: row) {
          // The next subscription has handled the error, unless a later record shows that it failed
          // as well.
          all[place].end = .handled(next.site)
          open[life.link] = place
        }
      default: break
      }
    }
  }
}
