import ReactiveTrace
import TraceReading

/// Recordings of programs in which something can never begin, or never begin again.
///
/// Times are in seconds.
extension Scene {
  /// A `concat` of three signals, made at lines 4, 5 and 6, that follows the one at `running` for
  /// four seconds; a `filter` downstream lets the values pass if `passes` is true.
  ///
  /// - Parameters:
  ///   - source: The traits of the source of the signal that is followed.
  ///   - stage: The traits of an operator between it and the `concat`; nil if there is none.
  ///   - values: The number of values of that signal.
  ///   - hasEnded: Whether another subscription to a signal of its line has completed.
  static func parts(
    _ source: SiteTraits,
    through stage: SiteTraits? = nil,
    running place: Int = 0,
    values: Int = 1,
    passes: Bool = false,
    hasEnded: Bool = false,
    since start: Double = 0,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Tasks.swift", 9, .root)
    let filter = recording.site("filter", "App/Tasks.swift", 8, .drops)
    let concat = recording.site(
      "concat",
      "App/Tasks.swift",
      7,
      [.merging, .passes, .queuesInner, .partners]
    )
    let sites = (0..<3).map { number in
      let traits = number == place ? source : .source
      return recording.site("part", "App/Tasks.swift", 4 + UInt32(number), traits)
    }
    let between = stage.map { recording.site("between", "App/Tasks.swift", 3, $0) }
    let sources = sites.map { recording.signal($0, at: 0) }
    var parts = sources
    if let between { parts[place] = recording.signal(between, of: sources[place], at: 0) }
    let signal = recording.signal(concat, of: parts[0], at: 0)
    recording.edit { snapshot in
      for slot in snapshot.slots.indices where snapshot.slots[slot].id == signal {
        snapshot.slots[slot].moreUpstreams = Array(parts.dropFirst())
      }
    }
    if hasEnded {
      let other = recording.subscribe(sites[place], at: 0)
      recording.end(other, .completed, at: 0.1)
    }
    var ids = recording.chain([root, filter], at: start)
    ids.append(recording.subscribe(concat, to: ids[1], of: signal, at: start))
    for earlier in 0..<place {
      let one = recording.subscribe(sites[earlier], to: ids[2], of: parts[earlier], at: start)
      recording.end(one, .completed, at: start)
    }
    if let between {
      ids.append(recording.subscribe(between, to: ids[2], of: parts[place], at: start))
    }
    ids.append(
      recording.subscribe(sites[place], to: ids[ids.count - 1], of: sources[place], at: start)
    )
    for value in 0..<values {
      let time = start + 0.1 * Double(value)
      for id in ids.dropFirst(passes ? 0 : 2).reversed() { recording.next(id, at: time) }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Connections that fail one second after they began; an operator in front of a `retry` replaces
  /// the failure, and sends a value if `sends` is true.
  ///
  /// - Parameters:
  ///   - count: The number of connections.
  ///   - between: The traits of an operator between the two; nil if there is none.
  ///   - continues: Whether the first operator continues with another signal.
  ///   - hasRetried: Whether another subscription of the line with the `retry` has tried twice.
  static func replacedFailures(
    _ count: Int = 1,
    between: SiteTraits? = nil,
    sends: Bool = true,
    continues: Bool = false,
    hasRetried: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Line.swift", 9, .root)
    let retry = recording.site("retry", "App/Line.swift", 8, [.passes, .retries])
    let handler = recording.site("replaceFailure(with:)", "App/Line.swift", 7, .passes)
    let source = recording.site("create", "App/Line.swift", 6, .source)
    let other = recording.site("just", "App/Line.swift", 5)
    let stage = between.map { recording.site("between", "App/Line.swift", 4, $0) }
    for number in 0..<count {
      let time = Double(number) * 0.1
      let sites = [root, retry] + (stage.map { [$0] } ?? []) + [handler, source]
      let ids = recording.chain(sites, at: time)
      for id in ids.reversed() { recording.next(id, at: time + 0.5) }
      recording.fail([ids[ids.count - 1]], "App.Refusal", at: time + 1)
      if continues {
        let one = recording.subscribe(other, to: ids[ids.count - 2], at: time + 1)
        recording.end(one, .completed, at: time + 1)
      }
      let rest = ids.dropLast().reversed()
      if sends { for id in rest { recording.next(id, at: time + 1) } }
      for id in rest { recording.end(id, .completed, at: time + 1) }
    }
    if hasRetried {
      let ids = recording.chain([root, retry], at: 2)
      for attempt in 0..<2 {
        let one = recording.subscribe(source, to: ids[1], at: 2 + Double(attempt) * 0.5)
        if attempt == 0 { recording.fail([one], "App.Refusal", at: 2.2) }
      }
    }
    recording.mark("later", at: 4)
    return recording
  }
}
