import TraceModel
import TraceReading

/// The sentences, the remedy and the evidence of the finding.
extension GrowthAtSite {
  /// The steps that the sentence counts: all steps, or only the final steps, in each of which the
  /// count rose.
  var counted: ArraySlice<Int> {
    level == .leak ? trend.steps[...] : trend.steps.suffix(trend.run)
  }

  var perStep: Double { Trend.median(counted.map(Double.init)) }

  var unit: String {
    guard windows.isDeclared else { return "window" }
    return windows.rounds > 1 ? "\(windows.rounds) rounds" : "round"
  }

  var units: String {
    guard windows.isDeclared else { return "windows" }
    return windows.rounds > 1 ? "stretches of \(windows.rounds) rounds" : "rounds"
  }

  var more: String {
    let isEven = counted.allSatisfy { $0 == counted.first }
    return isEven ? "\(counted.first ?? 0) more" : "\(Words.number(perStep)) more at the median"
  }

  var frequency: String {
    let risen = counted.count { $0 > 0 }
    if risen < counted.count { return "in \(risen) of \(counted.count) \(units), fewer in none" }
    if counted.count < trend.steps.count {
      return "in each of the last \(counted.count) of \(trend.steps.count) \(units)"
    }
    return "in each of \(counted.count) \(units)"
  }

  var names: String {
    guard windows.isDeclared else { return "" }
    let last = windows.ends.count - 1
    let first = last - counted.count + 1
    return " (\(windows.name(first)) … \(windows.name(last)))"
  }

  var released: String {
    switch ownersReleased {
    case 0: "none has been released"
    case 1: "1 has been released"
    default: "\(ownersReleased) have been released"
    }
  }

  /// A remark that the subscriptions ended only when the program did.
  var before: String {
    guard let last = levels.last, Int(clamping: row.live) < last else { return "" }
    return ", \(last) before the program ended"
  }

  var summary: String {
    "\(row.live) live of \(row.subscribed), +\(Words.number(perStep)) per \(unit), "
      + "\(counted.count { $0 > 0 }) of \(trend.steps.count)"
      + (descendants > 0 ? ", +\(Words.count(descendants, "operator")) above it" : "")
  }

  var sentence: String { sentence(at: "here") }

  func sentence(at place: String) -> String {
    "\(row.live) live of \(row.subscribed) ever subscribed \(place)\(before); \(more) \(frequency)\(names)"
      + (descendants > 0 ? ", with \(Words.count(descendants, "operator")) above it." : ".")
      + (owners.explain
        ? " Their owners remain, too: \(owners.count) of \(owners.place) live, and \(released)."
        : "")
      + (windows.memory.map { " \($0)" } ?? "")
  }

  var remedy: String {
    if owners.explain {
      return
        "Find out what keeps \(owners.place) alive: often a closure given to \(row.place) that captures the "
        + "owner of the bag strongly, so that each keeps the other; [weak self] there releases "
        + "both."
    }
    if row.traits.contains(.root) {
      // A task that takes the values one by one is a root with a handler for completion, too. It has
      // no disposable.
      if row.traits.contains(.handlesEnd) {
        return
          "When what it was made for closes, cancel the task that awaits the values of \(row.place) or, if it "
          + "returned a disposable, dispose of that; or end the signal with take(until:)."
      }
      return
        "Keep the disposable returned by \(row.place) and dispose of it when what it was made for "
        + "closes, or end the signal with take(until:)."
    }
    return
      "What is subscribed to in \(row.place) does not end: bound it with take(until:), or let the "
      + "newest replace the one before with switchToLatest()."
  }

  var evidence: Evidence {
    var counters = [
      "live \(row.live)", "subscribed \(row.subscribed)", "ended \(row.endedCount)",
    ]
    if windows.isDeclared { counters.append("live at marks \(Words.list(levels))") }
    if owners.explain { counters.append("owners alive \(owners.count)") }
    counters.append("fewest live per \(unit) \(Words.list(minimums))")
    return Evidence(events: events, counters: counters)
  }

  /// Other explanations of growth that the rule has excluded.
  var ruledOut: [String] {
    var others: [String] = []
    if level == .leak, counted.allSatisfy({ $0 > 0 }) {
      others.append("a cache that fills: their number grew \(frequency), without a bound")
    }
    if Int(clamping: row.live) >= minimums.last ?? 0 {
      others.append(
        "a burst that drains: the fewest live of each \(unit) never fell meanwhile, and no fewer "
          + "are live now"
      )
    }
    if !members.isEmpty {
      others.append("what another growing line keeps: most of them lead to no growing line below")
    }
    return others
  }

  var rank: Rank { Rank(growth: perStep, live: row.live, age: age) }
}
