import TraceModel
import TraceReading

/// What the records say about executions that were refused.
extension Reasons {
  /// A request that was refused.
  struct Refusal {
    /// The rest of a sentence: why it was refused.
    var reason: String
    /// How many executions asked for at the same line were refused.
    var counts: String
  }

  /// The refusal of the execution that an ended subscription asked for; nil if it asked for none, or
  /// if the execution was not refused.
  func refusal(ofRequestBy serial: UInt64) -> Refusal? {
    guard let histories = context.histories,
      let place = histories.place(of: EntityKey(id: .none, serial: serial))
    else { return nil }
    let facts = context.facts
    let tree = Set(histories.tree(upstreamOf: place))
    let signals = Set(tree.map { histories.all[$0].signal })
    let end = histories.all[place].endedAt ?? .max
    // A subscription that asked for several executions did not end because of one of them.
    let asked = histories.all.indices.filter { other in
      let one = histories.all[other]
      return one.signal != .none && signals.contains(one.signal) && !tree.contains(other)
        && one.createdAt >= histories.all[place].createdAt && one.createdAt <= end
        && facts.site(one.site).traits.contains(.executes)
    }
    guard asked.count == 1, let execution = asked.first, histories.isRefused(execution) else {
      return nil
    }
    let site = histories.all[execution].site
    let all = histories.all.indices.filter { histories.all[$0].site == site }
    let refused = all.count(where: histories.isRefused)
    let verb = refused == 1 ? "was" : "were"
    return Refusal(
      reason: reason(execution, histories),
      counts:
        "of \(Words.count(all.count, "execution")) asked for at \(facts.site(site).location), \(refused) \(verb) refused"
    )
  }

  private func reason(_ execution: Int, _ histories: Histories) -> String {
    let facts = context.facts
    guard let refused = refusedExecutions, refused.all.contains(execution) else {
      return ": its action or command was not enabled. " + EndExplanation.refusals
    }
    let condition = histories.all[refused.condition]
    let stage = histories.inputs[refused.condition].first ?? refused.condition
    let enabler = facts.site(histories.all[stage].site).place
    let time = Quantity.moment(facts.time(condition.lastEvent))
    return
      ", because \(facts.site(condition.site).place) was not enabled. \(enabler), which says whether it is, "
      + "sent \(Words.count(condition.events, "value")) in all, the last at \(time)."
  }
}

/// What the records say about the handlers that send to a signal.
extension Reasons {
  /// The maximum number of subscriptions that are named.
  private static var limit: Int { 3 }

  /// Says which handler sent the last value of a signal or, if none was sent, which handlers in the
  /// same file have received nothing so far; empty if the program cannot send to the signal.
  func senders(to signal: TraceID, at site: UInt32) -> [String] {
    let facts = context.facts
    let row = facts.site(site)
    guard row.traits.contains(.hot), row.traits.isDisjoint(with: [.shares, .timer]),
      signal != .none, let histories = context.histories, histories.isWhole, facts.hasEvents,
      let causes = context.causes
    else { return [] }
    func name(_ one: History) -> String {
      let site = facts.site(one.site)
      return "\(site.name)@\(site.location) \(one.key.label)"
    }
    if let last = causes.turns.last(where: { $0.signal.id == signal }) {
      guard let root = histories.place(of: EntityKey(id: .none, serial: last.root)) else {
        return []
      }
      let ago = Duration.seconds(facts.age(last.ticks)).brief
      return [
        "the last value of \(row.name)@\(row.location) was sent by the handler of \(name(histories.all[root])), \(ago) ago"
      ]
    }
    guard histories.turns[signal] == nil else { return [] }
    let silent = histories.all.indices.filter { place in
      let one = histories.all[place]
      let site = facts.site(one.site)
      return one.events == 0 && one.downstream < 0 && site.traits.contains(.root)
        && site.file == row.file
        && !histories.tree(upstreamOf: place, limit: 64)
          .contains { histories.all[$0].signal == signal }
    }
    return silent.prefix(Self.limit).map { place in
      "\(name(histories.all[place])), in the same file as \(row.name)@\(row.location), has received nothing; "
        + "which signals a handler sends to is recorded only when it sends"
    }
  }

  /// The same for the signals, upstream of an ended subscription, to which nothing was sent.
  func senders(toSourcesOf serial: UInt64) -> [String] {
    guard let histories = context.histories,
      let place = histories.place(of: EntityKey(id: .none, serial: serial))
    else { return [] }
    return histories.tree(upstreamOf: place, limit: 64)
      .filter { histories.inputs[$0].isEmpty && histories.turns[histories.all[$0].signal] == nil }
      .flatMap { senders(to: histories.all[$0].signal, at: histories.all[$0].site) }
  }
}
