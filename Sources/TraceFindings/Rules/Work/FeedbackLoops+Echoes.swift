import TraceModel
import TraceReading

/// Values that a handler sends back to the signal from which they came, so that each value from
/// outside goes round in addition to those before it.
///
/// On their way, values may pass through requests and queues that deliver several of them together,
/// so it is not known which value became which. Therefore values are not followed. Instead, each
/// value from outside must raise the rate at which values are sent back, which it does only if the
/// earlier ones still go round.
extension FeedbackLoops {
  /// The minimum number of values that go round at the same time; a few polls look the same.
  private static let minimumEchoes = 4
  /// The minimum number of rounds before the second value from outside.
  private static let minimumRounds = 3
  /// By how much a value from outside has to raise the rate at least, as a share of the rate to
  /// which the first one led.
  private static let rise = 0.4

  /// A pause of this many seconds is no rest: values that go round together come at once.
  private static let shortRest = 0.05

  /// A handler that sends to a signal which it follows.
  private struct Loop {
    var handler: CausalScan.Handled
    /// The turns of the signal that deliver values from outside, and those that deliver what the
    /// handler sent.
    var outside: [Int] = []
    var again: [Int] = []
  }

  /// The findings about handlers that send back what they receive, by the lines of the handlers.
  static func echoes(
    _ causes: CausalScan,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [UInt32: FindingDraft] {
    var senders: [UInt64: [CausalScan.Handled]] = [:]
    for handler in causes.handled.values where !handler.sent.isEmpty {
      guard let place = histories.place(of: handler.key) else { continue }
      let followed = Set(
        histories.tree(upstreamOf: place, limit: 256).map { histories.all[$0].signal }
      )
      for serial in handler.sent where causes.signals[serial].map(followed.contains) ?? false {
        senders[serial, default: []].append(handler)
      }
    }
    // If several handlers send back, it is not known which of them a value has passed.
    var loops = senders.compactMapValues { $0.count == 1 ? Loop(handler: $0[0]) : nil }
    guard !loops.isEmpty else { return [:] }
    for (place, turn) in causes.turns.enumerated() {
      guard let loop = loops[turn.signal.serial] else { continue }
      if turn.root == loop.handler.key.serial {
        loops[turn.signal.serial]?.again.append(place)
      } else {
        loops[turn.signal.serial]?.outside.append(place)
      }
    }
    var found: [UInt32: FindingDraft] = [:]
    for (_, loop) in loops.sorted(by: { $0.key < $1.key }) {
      guard let draft = draft(loop, causes, facts) else { continue }
      found[draft.site] = found[draft.site] ?? draft
    }
    return found
  }

  /// How many values were sent back in a second, after each value from outside and before the next;
  /// nil if values had come to rest before the next one came, or before the recording ended.
  ///
  /// The recording may end soon after the last value from outside, which is then left out.
  private static func rates(
    _ loop: Loop,
    _ causes: CausalScan,
    _ facts: FindingFacts
  ) -> [Double]? {
    let starts = loop.outside.map { causes.turns[$0].ticks }
    var rates: [Double] = []
    var next = 0
    for (start, end) in zip(starts, starts.dropFirst() + [facts.last]) {
      var times: [UInt64] = []
      while next < loop.again.count, causes.turns[loop.again[next]].ticks < end {
        times.append(causes.turns[loop.again[next]].ticks)
        next += 1
      }
      let seconds = facts.seconds(from: start, to: end)
      if rates.count == starts.count - 1, let first = starts.dropFirst().first,
        seconds * 2 < facts.seconds(from: starts[0], to: first)
      {
        break
      }
      let pauses = zip(times, times.dropFirst()).map { facts.seconds(from: $0, to: $1) }.sorted()
      guard let last = times.last, !pauses.isEmpty,
        facts.seconds(from: last, to: end) <= max(pauses[pauses.count / 2] * gapFactor, shortRest)
      else { return nil }
      rates.append(Double(times.count) / max(seconds, 1e-9))
    }
    return rates
  }

  private static func draft(
    _ loop: Loop,
    _ causes: CausalScan,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    guard loop.outside.count >= minimumEchoes, let latest = loop.again.last else { return nil }
    let (begin, second) = (loop.outside[0], loop.outside[1])
    guard let rates = rates(loop, causes, facts), rates.count >= minimumEchoes,
      loop.again.count(where: { $0 > begin && $0 < second }) >= minimumRounds,
      zip(rates, rates.dropFirst()).allSatisfy({ $1 - $0 >= rates[0] * rise })
    else { return nil }
    let (row, site) = (facts.site(loop.handler.site), facts.site(causes.turns[latest].site))
    let (count, again) = (rates.count, loop.again.count)
    let seconds = facts.seconds(from: causes.turns[begin].ticks, to: causes.turns[latest].ticks)
    return FindingDraft(
      kind: .feedbackLoop,
      site: loop.handler.site,
      summary: "\(count) values go round, \(again) times in all",
      sentence:
        "\(count) values go round at the same time: \(row.place) sends back to \(site.place) what has come from there, \(again) times within \(Duration.seconds(seconds).brief). "
        + "Each value that came from elsewhere goes on in addition to those before it.",
      remedy:
        "Do not send from \(row.place) what came from \(site.place): store it elsewhere, or send it only if it differs from what came.",
      evidence: Evidence(
        events: (loop.outside + loop.again.suffix(8)).map { causes.turns[$0].number }.sorted(),
        counters: ["values from elsewhere \(loop.outside.count)", "sent back \(again)"]
      ),
      accusedRoots: [AccusedRoot(loop.handler)],
      rank: Rank(live: UInt64(count), rate: Double(again) / max(seconds, 0.001)),
      restsOnRecords: true,
      explains: sites(fedBy: [loop.handler], facts),
      ruledOut: [
        "values that come to rest: values were still sent back when the next one came from elsewhere, and each time more often",
        "polls that began together: the values came one after another",
      ]
    )
  }
}
