import Glibc
import Reactive
import ReactiveTesting
import Testing

/// Some operators promise that the current value of one signal, which they subscribe to first,
/// arrives before another signal sends (contract rule 8).
///
/// These tests check the promise while the first signal is shared and another thread is sending to
/// it, so that a subscriber often has to wait for the current value.
///
/// `REACTIVE_KEPT_VALUES=1000000` sets the number of subscriptions for each operator.
@Suite(.tags(.stress), .serialized) struct KeptValueThreadsTests {
  /// An operator applied to a shared signal, whose values are at least 0.
  ///
  /// The resulting signal sends true once if the promise was kept.
  struct Promise: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (Signal<Int, Never>) -> Signal<Bool, Never>

    init(_ name: String, _ make: @escaping @Sendable (Signal<Int, Never>) -> Signal<Bool, Never>) {
      testDescription = name
      self.make = make
    }
  }

  static let one = Signal<Int, Never>.just(-1)
  static let few = Signal<Int, Never>.from([-1, -2, -3])

  static let promises = [
    Promise("withLatest(from:)") { one.withLatest(from: $0).count().map { $0 == 1 } },
    Promise("withLatest(from:) behind stages") { shared in
      one.withLatest(from: shared.map { $0 + 1 }.filter { $0 > 0 }.share(replay: 1)).count()
        .map { $0 == 1 }
    },
    Promise("withLatest(from:) of two") { shared in
      one.withLatest(from: combineLatest(shared.map { $0 + 1 }, shared)).count().map { $0 == 1 }
    },
    Promise("withLatest(from:) of withLatest(from:)") { shared in
      one.withLatest(from: one.withLatest(from: shared)).count().map { $0 == 1 }
    },
    Promise("skip(until:)") { few.skip(until: $0).count().map { $0 == 3 } },
    Promise("take(until:)") { few.take(until: $0).isEmpty() },
    Promise("take(untilReplacement:)") { shared in
      few.take(untilReplacement: shared.take(1)).collect().map { $0.count == 1 && $0[0] >= 0 }
    },
    Promise("sample(on:)") { $0.sample(on: one).count().map { $0 == 1 } },
    Promise("combineLatest") { shared in
      combineLatest(shared.take(1), few).count().map { $0 == 3 }
    },
    Promise("combineLatest of three") { shared in
      combineLatest(shared.take(1), shared.take(1), few).count().map { $0 == 3 }
    },
    Promise("combineLatest of a list") { shared in
      combineLatest([shared.take(1), shared.take(1), few]).count().map { $0 == 3 }
    },
    Promise("all") { shared in
      Signal.all([shared.take(1).map { $0 >= 0 }, few.map { $0 < 0 }]).count().map { $0 == 3 }
    },
    Promise("amb") { shared in
      Signal.amb([shared.take(1), one]).collect().map { $0.count == 1 && $0[0] >= 0 }
    },
    Promise("buffer(boundary:)") { shared in
      few.buffer(boundary: shared.take(1)).collect().map { $0 == [[], [-1, -2, -3]] }
    },
    Promise("buffer(openings:closing:)") { shared in
      few.buffer(openings: shared.take(1), closing: { _ in Signal<Int, Never>.never() }).collect()
        .map { $0 == [[-1, -2, -3]] }
    },
    Promise("window(boundary:)") { shared in
      few.window(boundary: shared.take(1)).concatMap { $0.collect() }.collect()
        .map { $0 == [[], [-1, -2, -3]] }
    },
    Promise("window(openings:closing:)") { shared in
      few.window(openings: shared.take(1), closing: { _ in Signal<Int, Never>.never() })
        .concatMap { $0.collect() }.collect().map { $0 == [[-1, -2, -3]] }
    },
    // For the remaining operators, it does not matter which signal sends first. They must not lose
    // the current value if it arrives late.
    Promise("zip") { zip($0, one).count().map { $0 == 1 } },
    Promise("forkJoin") { forkJoin($0.take(1), one).count().map { $0 == 1 } },
    Promise("merge") { Signal.merge([$0.take(1), one]).count().map { $0 == 2 } },
    Promise("sequenceEqual") { $0.take(1).sequenceEqual(one).map { !$0 } },
    Promise("flatMapLatest") { shared in
      one.flatMapLatest { _ in shared.take(1) }.count().map { $0 == 1 }
    },
  ]

  private static let count =
    getenv("REACTIVE_KEPT_VALUES").flatMap { Int(String(cString: $0)) } ?? scaledDepth(10_000)

  @Test(arguments: promises)
  func thePromiseIsKeptOnAThreadWithACurrentScheduler(_ promise: Promise) {
    // The immediate scheduler runs the work on the calling thread, which has a current scheduler
    // meanwhile, as the main thread always does.
    let broken = Self.broken(promise) { body in ImmediateScheduler.shared.schedule(body) }
    #expect(broken == 0, "of \(Self.count)")
  }

  @Test(arguments: promises)
  func thePromiseIsKeptOnAThreadWithoutACurrentScheduler(_ promise: Promise) {
    let broken = Self.broken(promise) { body in body() }
    #expect(broken == 0, "of \(Self.count)")
  }

  /// The number of subscriptions, out of `count`, for which the promise was broken while another
  /// thread sent to the shared signal.
  private static func broken(
    _ promise: Promise,
    _ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> Int {
    let subject = Subject<Int, Never>()
    let shared = subject.signal.share(replay: 1)
    let spent = Counter()
    let last = Box(0)
    let held = shared.subscribe { value in
      // This takes some time inside the gate.
      for _ in 0..<20 { spent.add() }
      last.value = value
    }
    subject.send(0)
    let kept = Counter()
    let ended = Latch(count)
    let isOver = Counter()
    onPlainThreads(2) { index in
      if index == 0 {
        var value = 0
        while isOver.value == 0 {
          value = (value + 1) & 0xFFFF
          subject.send(value)
          // The next value is sent only when this one has been delivered. Otherwise the other
          // thread, once inside the gate, might deliver values for ever instead of subscribing.
          while last.value != value { sched_yield() }
        }
        return
      }
      run {
        for _ in 0..<count {
          promise.make(shared)
            .subscribe(next: { if $0 { kept.add() } }, completed: { ended.signal() })
        }
      }
      if !ended.wait(seconds: 600) { Issue.record("not all have ended") }
      isOver.add()
    }
    held.dispose()
    return count - kept.value
  }
}
