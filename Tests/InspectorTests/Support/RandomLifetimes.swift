import TraceReading

/// A trace of entities with random lifetimes, and the facts that were true after each record.
struct RandomLifetimes {
  let snapshot: TraceSnapshot
  /// For each step that wrote a record, in order: the number of this record, and the facts that
  /// were true after it.
  let truths: [(number: UInt64, facts: Facts)]

  init(seed: UInt64, steps: Int = 120) {
    var random = SeededGenerator(seed: seed)
    // Before format 1.5, a signal's count of subscriptions included those of the program itself.
    var trace = TraceSimulator(minorVersion: seed % 2 == 0 ? 4 : 5)
    let threads = [trace.thread("main", isMain: true), trace.thread("pool")]
    let schedulers = [trace.scheduler("main", .main), trace.scheduler("work", .serialQueue)]
    let sites = [
      trace.site("interval", "Feed.swift", 10, [.endless]), trace.site("map", "Feed.swift", 11),
      trace.site("subscribe", "Feed.swift", 12, [.root]), trace.site("take", "Panes.swift", 5),
      trace.site("DisposableBag", "Panes.swift", 3),
    ]
    var truths: [(number: UInt64, facts: Facts)] = []
    var recordCount = 0
    for _ in 0..<steps {
      trace.wait(.microseconds(1 + random.below(1000)))
      Self.step(&trace, &random, threads, schedulers, sites)
      if trace.snapshot.records.count > recordCount, let last = trace.snapshot.records.last {
        recordCount = trace.snapshot.records.count
        truths.append((last.number, Facts(trace)))
      }
      if random.once(in: 18) { trace.beginGeneration() }
      if random.once(in: 40) { trace.mark("round") }
    }
    self.truths = truths
    snapshot = trace.finish()
  }

  /// Does one random thing, which writes at most one record, not counting status records.
  private static func step(
    _ trace: inout TraceSimulator,
    _ random: inout SeededGenerator,
    _ threads: [UInt32],
    _ schedulers: [UInt32],
    _ sites: [UInt32]
  ) {
    let thread = threads[random.below(threads.count)]
    let site = sites[random.below(sites.count)]
    let entities = trace.slots.values.sorted { $0.serial < $1.serial }
    let signals = entities.filter { $0.kind == .signal }
    let subscriptions = entities.filter { $0.kind == .subscription }
    let timers = entities.filter { $0.kind == .timer }
    let owners = entities.filter { $0.kind == .owner }
    let signal = signals.isEmpty ? nil : signals[random.below(signals.count)]
    let subscription =
      subscriptions.isEmpty ? nil : subscriptions[random.below(subscriptions.count)]
    switch random.below(16) {
    case 0: _ = trace.signal(site, on: signal?.id ?? .none, thread: thread)
    case 1 where random.once(in: 3):
      if let signal { trace.releaseSignal(signal.id, thread: thread) }
    case 1, 2, 3:
      let downstream = random.once(in: 2) ? subscription?.id ?? .none : .none
      let scheduler = schedulers[random.below(schedulers.count)]
      _ = trace.subscribe(
        site,
        to: signal?.id ?? .none,
        downstream: downstream,
        scheduler: scheduler,
        thread: thread
      )
    case 4:
      if let subscription { trace.requestDisposal(subscription.id, thread: thread) }
    case 5, 6:
      guard let subscription else { return }
      if subscription.state == .ended {
        trace.release(subscription.id, thread: thread)
      } else {
        trace.end(subscription.id, EndReason.allCases[random.below(5)], thread: thread)
      }
    case 7:
      _ = trace.arm(site, every: .milliseconds(5), for: subscription?.id ?? .none, thread: thread)
    case 8:
      guard !timers.isEmpty else { return }
      let timer = timers[random.below(timers.count)]
      if random.once(in: 4) {
        trace.endTimer(timer.id, thread: thread)
      } else {
        trace.fire(timer.id, thread: thread)
      }
    case 9:
      if let subscription { trace.dropDisposable(subscription.id, thread: thread) }
    case 10: _ = trace.own(site, thread: thread)
    case 11:
      if !owners.isEmpty {
        trace.endOwner(owners[random.below(owners.count)].id, thread: thread)
      }
    default:
      guard let subscription, subscription.state != .ended else { return }
      trace.next(subscription.id, thread: thread)
    }
  }
}
