import Glibc
import ReactiveTesting
import Synchronization
import Testing

@testable import Reactive

@Suite struct GateInternalTests {
  private final class GateProbe: Sendable {
    let gate = Gate()
    let inside = Counter()
    let overlaps = Counter()
    let seen = Counter()

    func enter() -> Bool { gate.enter() }
    func leave() { gate.leave() }
    func enterAfterLoss() -> Bool { gate.enterAfterLoss() }
    var isOpen: Bool { gate.isOpen }

    /// Enters and leaves while earlier stores of the thread are not yet visible to other threads.
    func send(with cold: ColdMemory) {
      cold.store()
      if gate.enter() {
        deliver()
        cold.store()
        gate.leave()
      } else {
        gate.enqueue { self.deliver() }
      }
    }

    func deliver(_ work: () -> Void = {}) {
      if inside.add() != 1 { overlaps.add() }
      seen.add()
      work()
      inside.add(-1)
    }

    func send(_ work: @escaping @Sendable () -> Void = {}) {
      if gate.enter() {
        deliver(work)
        gate.leave()
      } else {
        gate.enqueue { self.deliver(work) }
      }
    }
  }

  @Test func eventsThatArriveInsideTheGateWaitUntilTheOwnerLeaves() {
    let probe = GateProbe()
    #expect(probe.enter())
    #expect(!probe.isOpen)
    probe.send()
    probe.send()
    #expect(probe.seen.value == 0)
    probe.leave()
    #expect(probe.seen.value == 2)
    #expect(probe.isOpen)
  }

  @Test func eventsAreDeliveredBeforeOpenings() {
    let order = Recorder<String, Never>()
    let probe = GateProbe()
    #expect(probe.enter())
    probe.gate.openLater { order.next("first opening") }
    probe.gate.openLater { order.next("second opening") }
    probe.gate.enqueue { order.next("event") }
    probe.leave()
    #expect(order.values == ["event", "first opening", "second opening"])
  }

  @Test func anOpeningRunsWithTheGateOpen() {
    let probe = GateProbe()
    let wasOpen = Box<Bool>()
    #expect(probe.enter())
    probe.gate.openLater {
      wasOpen.value = probe.isOpen
      probe.send()
      #expect(probe.seen.value == 1)
    }
    probe.leave()
    #expect(wasOpen.value == true)
    #expect(probe.seen.value == 1)
  }

  @Test func nestedOpeningsAreNoDeeperThanTheBound() {
    let probe = GateProbe()
    let depth = Counter()
    let deepest = Counter()
    let ran = Counter()
    let open = Box<@Sendable () -> Void>()
    open.value = {
      ran.add()
      if depth.add() > deepest.value { deepest.add() }
      if ran.value < 1_000, probe.enter() {
        if let next = open.value { probe.gate.openLater(next) }
        probe.leave()
      }
      depth.add(-1)
    }
    #expect(probe.enter())
    if let first = open.value { probe.gate.openLater(first) }
    probe.leave()
    #expect(ran.value == 1_000)
    #expect(deepest.value <= 32)
    open.value = nil
  }

  @Test(.tags(.stress)) func eventsAreDeliveredOneAtATimeAndNoneIsLost() {
    let probe = GateProbe()
    let opened = Counter()
    let count = scaledCount(20_000)
    onPlainThreads(4) { index in
      for number in 0..<count {
        probe.send()
        if number % 16 == index { probe.gate.openLater { opened.add() } }
      }
    }
    #expect(probe.overlaps.value == 0)
    #expect(probe.seen.value == 4 * count)
    let expected = (0..<4).map { index in (0..<count).count { $0 % 16 == index } }.reduce(0, +)
    #expect(opened.value == expected)
    #expect(probe.isOpen)
  }

  // MARK: The bias, and its end

  @Test func theOwnerDeliversEventsOfOtherThreadsWhileItIsInside() {
    let probe = GateProbe()
    #expect(probe.enter())
    onPlainThreads(1) { _ in probe.send() }
    #expect(probe.seen.value == 0)
    probe.send()
    #expect(probe.seen.value == 0)
    probe.leave()
    #expect(probe.seen.value == 2)
    #expect(probe.isOpen)
  }

  @Test func anotherThreadCanEnterAGateThatItsOwnerHasLeft() {
    let probe = GateProbe()
    probe.send()
    onPlainThreads(1) { _ in probe.send() }
    probe.send()
    #expect(probe.seen.value == 3)
    #expect(probe.isOpen)
  }

  @Test func aGateEnteredOnOneThreadCanBeLeftOnAnother() {
    let probe = GateProbe()
    #expect(probe.enter())
    probe.send()
    onPlainThreads(1) { _ in probe.leave() }
    #expect(probe.seen.value == 1)
    #expect(probe.isOpen)
    probe.send()
    #expect(probe.seen.value == 2)
  }

  /// Whether gates have a bias: one thread, the owner, enters them with plain loads and stores.
  ///
  /// They have none under the thread sanitizer, nor without the system call `membarrier`.
  private static let gatesHaveABias = Gate().owner.load(ordering: .relaxed) != Gate.shared

  // The following tests perform the steps of one thread separately: `enter` and `leave` store
  // `inside` before they read the owner again, and in between another thread ends the bias. Each
  // test runs in a separate process, because new gates have no bias in a process in which many
  // gates have lost theirs.

  @Test(.enabled(if: gatesHaveABias))
  func anOwnerThatWasEnteringWhenTheBiasEndedIsInside() async {
    await #expect(processExitsWith: .success) {
      let probe = GateProbe()
      probe.send()
      probe.gate.inside.store(1, ordering: .relaxed)
      onPlainThread { probe.send() }
      #expect(probe.seen.value == 1)
      #expect(probe.enterAfterLoss())
      probe.deliver()
      probe.leave()
      #expect(probe.seen.value == 3)
      #expect(probe.isOpen)
    }
  }

  @Test(.enabled(if: gatesHaveABias))
  func anOwnerThatEntersAfterTheBiasEndedEntersLikeAnyThread() async {
    await #expect(processExitsWith: .success) {
      let probe = GateProbe()
      probe.send()
      onPlainThread { probe.send() }
      #expect(probe.seen.value == 2)
      probe.gate.inside.store(1, ordering: .relaxed)
      #expect(probe.enterAfterLoss())
      #expect(!probe.enterAfterLoss())
      probe.leave()
      #expect(probe.isOpen)
    }
  }

  @Test(.enabled(if: gatesHaveABias))
  func anOwnerThatWasLeavingWhenTheBiasEndedDeliversWaitingEvents() async {
    await #expect(processExitsWith: .success) {
      let probe = GateProbe()
      #expect(probe.enter())
      onPlainThread { probe.send() }
      probe.gate.inside.store(0, ordering: .releasing)
      #expect(probe.seen.value == 0)
      probe.gate.leaveAfterLoss()
      #expect(probe.seen.value == 1)
      #expect(probe.isOpen)
    }
  }

  @Test(.enabled(if: gatesHaveABias))
  func anOwnerThatHadLeftWhenTheBiasEndedHasNothingLeftToDo() async {
    await #expect(processExitsWith: .success) {
      let probe = GateProbe()
      #expect(probe.enter())
      probe.gate.inside.store(0, ordering: .releasing)
      onPlainThread { probe.send() }
      #expect(probe.seen.value == 1)
      probe.gate.leaveAfterLoss()
      #expect(probe.seen.value == 1)
      #expect(probe.isOpen)
    }
  }

  /// Runs in a separate process, because new gates have no bias in a process in which many have
  /// lost theirs.
  @Test func anOpeningAtAnUnusedGateRunsAtOnce() async {
    await #expect(processExitsWith: .success) {
      let probe = GateProbe()
      let wasOpen = Box<Bool>()
      probe.gate.openLater { wasOpen.value = probe.isOpen }
      #expect(wasOpen.value == true)
      probe.gate.enqueue { probe.deliver() }
      #expect(probe.seen.value == 1)
      #expect(probe.isOpen)
    }
  }

  /// Runs in a separate process, because new gates have no bias in a process in which a thousand
  /// have lost theirs.
  @Test(.tags(.stress)) func theBiasMayBeLostAtAnyMoment() async {
    await #expect(processExitsWith: .success) {
      for round in 0..<900 {
        let probe = GateProbe()
        onPlainThreads(2 + round % 3) { _ in for _ in 0..<200 { probe.send() } }
        #expect(probe.overlaps.value == 0)
        #expect(probe.seen.value == 200 * (2 + round % 3))
        #expect(probe.isOpen)
      }
    }
  }

  /// The owner's stores wait behind others that miss the caches, so that the owner reads `owner`
  /// long before other threads can see that it is inside.
  ///
  /// The barrier in `revokeBias` exists for this case.
  ///
  /// Without that barrier, about a dozen rounds fail if each of the two threads has a processor of
  /// its own. `theBiasMayBeLostAtAnyMoment` would still pass, because each lock that its loop takes
  /// flushes the stores.
  @Test(.enabled(if: gatesHaveABias), .tags(.stress))
  func theBiasMayBeLostWhileTheOwnersStoresAreOnTheirWay() async {
    await #expect(processExitsWith: .success) {
      let cold = ColdMemory()
      for round in 0..<900 { GateInternalTests.race(to: GateProbe(), cold, round) }
    }
  }

  /// Repeats the race of the previous test in a sandbox that refuses `membarrier`, and that the
  /// process enters after the gates got their bias.
  ///
  /// `REACTIVE_LATE_FILTER` sets the number of rounds; `Scripts/soak attack` runs a hundred
  /// thousand.
  @Test(.enabled(if: gatesHaveABias), .tags(.stress))
  func theBiasMayBeLostWhereTheBarrierIsRefusedLater() async {
    await #expect(processExitsWith: .success) {
      let rounds = getenv("REACTIVE_LATE_FILTER").flatMap { Int(String(cString: $0)) } ?? 900
      let cold = ColdMemory()
      let probes = (0..<rounds).map { _ in GateProbe() }
      try SystemCallFilter.refuse(.membarrier)
      for (round, probe) in probes.enumerated() { GateInternalTests.race(to: probe, cold, round) }
      #expect(Gate().owner.load(ordering: .relaxed) == Gate.shared)
    }
  }

  /// One thread sends until another thread has sent once, which ends the bias.
  private static func race(to probe: GateProbe, _ cold: ColdMemory, _ round: Int) {
    let sent = Counter()
    let phase = Phase()
    onPlainThreads(2) { index in
      if index == 0 {
        probe.send()
        phase.reach(1)
        var count = 1
        // The loop is bounded, because the other thread delivers these events and may not keep up.
        while !phase.isReached(2), count < 2_000 {
          probe.send(with: cold)
          count += 1
        }
        sent.add(count)
      } else {
        while !phase.isReached(1) { sched_yield() }
        spin(round % 50)
        probe.send { spin(20) }
        phase.reach(2)
      }
    }
    #expect(probe.overlaps.value == 0)
    #expect(probe.seen.value == sent.value + 1)
    #expect(probe.isOpen)
  }

  /// The phase that the two threads have reached.
  private final class Phase: Sendable {
    private let number = Atomic(0)
    func reach(_ phase: Int) { number.store(phase, ordering: .releasing) }
    func isReached(_ phase: Int) -> Bool { number.load(ordering: .acquiring) >= phase }
  }

  /// Delays the thread by a busy loop.
  private static func spin(_ count: Int) {
    let number = Counter()
    for _ in 0..<count { number.add() }
  }

  /// More memory than the caches can hold.
  ///
  /// Unchecked, because only one thread uses it.
  fileprivate final class ColdMemory: @unchecked Sendable {
    private static let count = 8 << 20
    private let words = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    private var at = 0

    init() { words.initialize(repeating: 0, count: Self.count) }
    deinit { words.deallocate() }

    /// Stores to addresses that are in no cache, without waiting for the stores.
    func store() {
      var next = at
      for _ in 0..<24 {
        next = (next &+ 521) & (Self.count &- 1)
        words[next] = 1
      }
      at = next
    }
  }
}
