import CBenchmarkShims
import ReactiveTrace

/// The cost of one record, compared with the lowest possible cost: reading the clock once and
/// storing 16 bytes in memory that is written over and over.
extension Workload {
  /// An event whose time is read from the clock; the cost is per event.
  static func recordEvent(_ recording: Recording) -> Workload {
    record("record-event", recording, goal: .atMost(1.5)) { count in
      let id = Entities.subscription()
      for _ in 0..<count {
        Tracer.tick()
        Tracer.next(id)
      }
      Entities.release(id)
    }
  }

  /// One of eight events that share a reading of the clock; the cost is per event.
  static func recordEventOfTurn(_ recording: Recording) -> Workload {
    record("record-event-of-turn", recording) { count in
      let id = Entities.subscription()
      for index in 0..<count {
        if index & 7 == 0 { Tracer.tick() }
        Tracer.next(id)
      }
      Entities.release(id)
    }
  }

  /// The life of a subscription: it begins, ends and is released, with its slot in the table of
  /// live entities and the counters of its site (line of code).
  ///
  /// The cost is per record, of which a life has three.
  static func recordLifecycle(_ recording: Recording) -> Workload {
    record("record-lifecycle", recording) { count in
      let site = Entities.site
      let signal = Tracer.signalCreated(site: site)
      for _ in 0..<(count / 3) {
        let id = Tracer.stagesBegan(signal: signal, downstream: .none).first
        Tracer.ended(id, .cancelled)
        Tracer.subscriptionReleased(id)
      }
      Tracer.signalReleased(signal)
    }
  }

  /// Work that a scheduler accepts, begins and ends, with the stack of the code that scheduled it.
  ///
  /// The cost is per record, of which a piece of work has three.
  static func recordHop(_ recording: Recording) -> Workload {
    record("record-hop", recording) { count in
      let scheduler = Entities.scheduler
      for _ in 0..<(count / 3) {
        let hop = Tracer.hopScheduled(scheduler: scheduler, subscription: .none)
        let outer = Tracer.hopBegan(hop)
        Tracer.hopEnded(hop, outer)
      }
    }
  }

  private static func record(
    _ name: String,
    _ recording: Recording,
    goal: Goal? = nil,
    _ body: @escaping (_ count: Int) -> Void
  ) -> Workload {
    Workload(
      name: name,
      quotient: .oursByPeer,
      goal: goal,
      count: 300_000,
      ours: recording.traced(
        .events,
        timed { count in
          body(count)
          return count
        }
      ),
      peer: timed { count in rxb_clock_and_store(count) }
    )
  }
}

/// The entities that the records refer to.
private enum Entities {
  static var site: UInt32 {
    Tracer.site("bench", traits: [], file: "bench/Records.swift", line: 1, column: 1)
  }

  static let scheduler = Tracer.scheduler(named: "bench", kind: .serialQueue)

  static func subscription() -> TraceID {
    Tracer.subscribed(site: site, signal: .none, downstream: .none)
  }

  static func release(_ id: TraceID) {
    Tracer.ended(id, .cancelled)
    Tracer.subscriptionReleased(id)
  }
}
