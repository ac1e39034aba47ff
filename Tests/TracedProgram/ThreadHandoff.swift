internal import ReactiveTrace

/// Work that is handed from thread to thread, started with `errands BATCHES`.
///
/// In each batch, subscriptions of one thread get values in work that another thread runs. Some of
/// them fail, some complete and some stay. Apart from the times, each run is the same.
enum ThreadHandoff {
  struct Mishap: Error {}

  /// The part of a batch that is left to the other thread.
  private struct WorkItem: Sendable {
    var hop: TraceHop
    var root: TraceID
    var stage: TraceID
    var signal: TraceID
    var number: Int
  }

  static func run(_ batches: Int) {
    let queue = Tracer.scheduler(named: "errands", kind: .serialQueue)
    let root = site("subscribe", 10, .root)
    let stage = site("map", 11, [])
    for batch in 0..<batches {
      let items = (0..<24).map { index -> WorkItem in
        let signal = Tracer.signalCreated(site: stage)
        let one = Tracer.subscribed(site: root, signal: signal, downstream: .none)
        let other = Tracer.subscribed(site: stage, signal: signal, downstream: one)
        Tracer.turnBegan(one)
        let hop = Tracer.hopScheduled(scheduler: queue, subscription: other)
        Tracer.turnEnded(one)
        return WorkItem(
          hop: hop,
          root: one,
          stage: other,
          signal: signal,
          number: batch * 24 + index
        )
      }
      // Each batch gets a new thread, and with it a new segment.
      Threads.run(1) { _ in for item in items { run(item) } }
      if batch % 4 == 3 { Trace.mark("batch \(batch)") }
    }
  }

  private static func site(_ name: StaticString, _ line: UInt32, _ traits: SiteTraits) -> UInt32 {
    Tracer.site(name, traits: traits, file: "Traced/Errands.swift", line: line, column: 1)
  }

  private static func run(_ item: WorkItem) {
    let outer = Tracer.hopBegan(item.hop)
    Tracer.turnBegan(item.stage)
    for _ in 0...(item.number % 5) {
      Tracer.next(item.stage)
      Tracer.next(item.root)
    }
    Tracer.turnEnded(item.stage)
    switch item.number % 24 {
    case 0: break
    case 1...3: end(item, .failed) { Tracer.failed($0, Mishap.self) }
    default: end(item, .completed) { Tracer.completed($0) }
    }
    Tracer.hopEnded(item.hop, outer)
  }

  private static func end(_ item: WorkItem, _ reason: EndReason, _ record: (TraceID) -> Void) {
    for id in [item.stage, item.root] {
      record(id)
      Tracer.ended(id, reason)
      Tracer.subscriptionReleased(id)
    }
    Tracer.signalReleased(item.signal)
  }
}
