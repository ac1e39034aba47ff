internal import ReactiveTrace

/// A program with rounds, which it declares with marks; started with `rounds COUNT KEPT`.
///
/// In each round, four subscriptions come and go, and KEPT subscriptions stay.
enum Rounds {
  static func run(_ count: Int, keeping kept: Int) {
    let site = Tracer.site("map", traits: .root, file: "Traced/Rounds.swift", line: 7, column: 1)
    let signal = Tracer.signalCreated(site: site)
    for round in 1...count {
      for _ in 0..<4 {
        let id = Tracer.subscribed(site: site, signal: signal, downstream: .none)
        Tracer.ended(id, .cancelled)
        Tracer.subscriptionReleased(id)
      }
      for _ in 0..<kept {
        _ = Tracer.subscribed(site: site, signal: signal, downstream: .none)
      }
      Trace.mark("round \(round)")
    }
  }
}
