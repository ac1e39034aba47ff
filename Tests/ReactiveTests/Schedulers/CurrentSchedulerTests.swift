import Dispatch
import Reactive
import ReactiveTesting
import Testing

/// Where there is a current scheduler, a cold source starts before `subscribe` returns.
@Suite struct CurrentSchedulerTests {
  private static func startsAtOnce() -> Bool {
    let starts = Counter()
    Signal<Int, Never>.create { observer in
      starts.add()
      observer.complete()
    }
    .subscribe()
    return starts.value == 1
  }

  @Test func aTaskHasOne() { #expect(Self.startsAtOnce()) }

  @Test @MainActor func theMainThreadHasOne() { #expect(Self.startsAtOnce()) }

  @Test func scheduledWorkHasOneAndItEndsWithTheWork() {
    let starts = Recorder<Bool, Never>()
    onPlainThread {
      ImmediateScheduler.shared.schedule { starts.next(Self.startsAtOnce()) }
    }
    #expect(starts.values == [true])
  }

  @Test func workInsideWorkRestoresTheOuterOne() {
    let starts = Recorder<Bool, Never>()
    onPlainThread {
      ImmediateScheduler.shared.schedule {
        ImmediateScheduler.shared.schedule { starts.next(Self.startsAtOnce()) }
        starts.next(Self.startsAtOnce())
      }
    }
    #expect(starts.values == [true, true])
  }

  @Test func aPlainThreadHasNoneAndNeitherHasAPlainQueue() {
    let gate = Latch()
    let ended = Latch(2)
    let seen = Recorder<String, Never>()
    let deferred: @Sendable (String) -> Void = { name in
      Signal<Int, Never>.create { observer in
        _ = gate.wait()
        seen.next(name)
        observer.complete()
      }
      .subscribe(completed: { ended.signal() })
      // Reached although the source waits: it runs elsewhere.
      seen.next("after \(name)")
    }
    onPlainThread { deferred("thread") }
    let queued = Latch()
    DispatchQueue(label: "plain").async {
      deferred("queue")
      queued.signal()
    }
    #expect(queued.wait())
    #expect(seen.values == ["after thread", "after queue"])
    gate.signal()
    #expect(ended.wait())
  }
}
