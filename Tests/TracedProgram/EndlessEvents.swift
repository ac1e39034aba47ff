internal import Glibc
internal import ReactiveTrace

/// A program that records events until it is killed, started with `endless THREADS FILE`.
enum EndlessEvents {
  static func run(threads: Int, acknowledgements path: String) -> Never {
    let file = Acknowledgements(path: path, count: threads, isNew: false)
    let site = Tracer.site(
      "endless",
      traits: [.root, .endless],
      file: "Traced/Endless.swift",
      line: 1,
      column: 1
    )
    let signal = Tracer.signalCreated(site: site)
    Threads.run(threads) { row in
      let subscription = Tracer.subscribed(site: site, signal: signal, downstream: .none)
      file.name(row, subscription.rawValue)
      var number: UInt64 = 0
      while true {
        // Turns have different lengths, so that the kill hits records of all kinds.
        Tracer.turnBegan(subscription)
        for _ in 0...(number % 7) {
          number += 1
          Tracer.next(subscription)
          file.store(row, number)
        }
        Tracer.turnEnded(subscription)
        // With very many threads, those that have begun would keep the others from beginning.
        if threads > 64 { sched_yield() }
      }
    }
    fail("threads that never end have ended")
  }
}
