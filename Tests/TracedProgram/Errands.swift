internal import ReactiveTrace

/// Work that is handed from thread to thread: `errands BATCHES`.
///
/// In each batch, subscriptions of one thread get values in work that another thread runs. Some of
/// them fail, some complete and some stay. Apart from the times, each run is the same.
enum Errands {
  struct Mishap: Error {}

  /// The part of a batch that is left to the other thread.
  private struct Errand: Sendable {
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
      let errands = (0..<24).map { index -> Errand in
        let signal = Tracer.signalCreated(site: stage)
        let one = Tracer.subscribed(site: root, signal: signal, downstream: .none)
        let other = Tracer.subscribed(site: stage, signal: signal, downstream: one)
        Tracer.turnBegan(one)
        let hop = Tracer.hopScheduled(scheduler: queue, subscription: other)
        Tracer.turnEnded(one)
        return Errand(
          hop: hop,
          root: one,
          stage: other,
          signal: signal,
          number: batch * 24 + index
        )
      }
      // Each batch gets a new thread, and with it a new segment.
      Threads.run(1) { _ in for errand in errands { run(errand) } }
      if batch % 4 == 3 { Trace.mark("batch \(batch)") }
    }
  }

  private static func site(_ name: StaticString, _ line: UInt32, _ traits: SiteTraits) -> UInt32 {
    Tracer.site(name, traits: traits, file: "Traced/Errands.swift", line: line, column: 1)
  }

  private static func run(_ errand: Errand) {
    let outer = Tracer.hopBegan(errand.hop)
    Tracer.turnBegan(errand.stage)
    for _ in 0...(errand.number % 5) {
      Tracer.next(errand.stage)
      Tracer.next(errand.root)
    }
    Tracer.turnEnded(errand.stage)
    switch errand.number % 24 {
    case 0: break
    case 1...3: end(errand, .failed) { Tracer.failed($0, Mishap.self) }
    default: end(errand, .completed) { Tracer.completed($0) }
    }
    Tracer.hopEnded(errand.hop, outer)
  }

  private static func end(_ errand: Errand, _ reason: EndReason, _ tell: (TraceID) -> Void) {
    for id in [errand.stage, errand.root] {
      tell(id)
      Tracer.ended(id, reason)
      Tracer.subscriptionReleased(id)
    }
    Tracer.signalReleased(errand.signal)
  }
}
