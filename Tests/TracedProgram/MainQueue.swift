internal import Dispatch
internal import Glibc
internal import ReactiveTrace

/// Sends values on the main queue and elsewhere without a scheduler of the library, while threads
/// other than the main one serve the main queue; started with `main-queue COUNT`.
///
/// In each round, line 1 gets its values on the main queue, and line 2 gets its values elsewhere.
/// Line 3 gets one value in each round on the main queue, and three in all elsewhere.
enum MainQueue {
  static func run(_ count: Int) -> Never {
    let site = { line in
      Tracer.site("subscribe", traits: .root, file: "Traced/MainQueue.swift", line: line, column: 1)
    }
    let subject = Tracer.signalCreated(site: site(9))
    let lines = (1...3).map {
      Tracer.subscribed(site: site(UInt32($0)), signal: subject, downstream: .none)
    }
    let send = { @Sendable (line: Int) in
      Tracer.turnBegan(subject)
      Tracer.next(lines[line - 1])
      Tracer.turnEnded(subject)
    }
    let queue = DispatchQueue(label: "traced")
    @Sendable func round(_ number: Int) {
      guard number < count else {
        say("done")
        exit(0)
      }
      send(1)
      send(3)
      // This block runs on the thread that waits for it.
      queue.sync { send(2) }
      if number < 3 { queue.sync { send(3) } }
      send(1)
      DispatchQueue.global().async {
        send(2)
        // This block also runs on the waiting thread, once no thread is bound to the main queue.
        DispatchQueue.main.sync { send(1) }
        send(2)
        DispatchQueue.main.async { round(number + 1) }
      }
    }
    DispatchQueue.main.async { round(0) }
    dispatchMain()
  }
}
