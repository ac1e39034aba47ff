import Glibc
import ReactiveTesting
import Synchronization
import Testing

@testable import Reactive

/// Many threads send to one subject (`Documentation/Decisions`, number 15).
@Suite(.tags(.stress)) struct BackpressureTests {
  private let isOver = Counter()
  private let sent = Counter()

  /// Makes handling a value take longer than sending it.
  private func work() {
    let steps = Counter()
    for _ in 0..<50 { steps.add() }
  }

  @Test func aThreadThatDeliversForOthersReturnsWhileTheySend() {
    let most = 50_000
    let subject = Subject<Int, Never>()
    let (isInside, isCrowded) = (Latch(2), Latch())
    subject.signal.subscribe { value in
      work()
      guard value == 0 else { return }
      for _ in 0..<2 { isInside.signal() }
      _ = isCrowded.wait()
    }
    let atReturn = Counter()
    onPlainThreads(3) { index in
      if index == 0 {
        subject.send(0)
        atReturn.add(sent.value)
        isOver.add()
        return
      }
      _ = isInside.wait()
      while isOver.value == 0 {
        let number = sent.add()
        if number > most { break }
        subject.send(number)
        if number == 150 { isCrowded.signal() }
      }
    }
    // The delivering thread returned while the others were still sending.
    #expect(atReturn.value < most / 2)
  }

  @Test func theQueueStaysBoundedWhileManyThreadsSend() {
    let subject = Subject<Int, Never>()
    let (handled, most) = (Counter(), Counter())
    subject.signal.subscribe { _ in
      work()
      let waiting = sent.value - handled.add()
      if waiting > most.value { most.add(waiting - most.value) }
    }
    let count = scaledCount(20_000)
    onPlainThreads(4) { _ in
      for _ in 0..<count {
        sent.add()
        subject.send(1)
      }
    }
    #expect(handled.value == 4 * count)
    #expect(most.value < 5_000)
  }

  @Test func theOrderOfEachSenderIsKept() {
    let subject = Subject<(Int, Int), Never>()
    let last = Locked([Int](repeating: 0, count: 4))
    let (inside, wrong, handled) = (Counter(), Counter(), Counter())
    subject.signal.subscribe { sender, number in
      if inside.add() != 1 { wrong.add() }
      let former = last.withLock { last in
        defer { last[sender] = number }
        return last[sender]
      }
      if former + 1 != number { wrong.add() }
      handled.add()
      inside.add(-1)
    }
    let count = scaledCount(5_000)
    onPlainThreads(4) { sender in for number in 1...count { subject.send((sender, number)) } }
    #expect(wrong.value == 0)
    #expect(handled.value == 4 * count)
  }

  /// A sender gives way (waits after it has queued its value) only for a moment: it must not wait
  /// for the delivering thread to finish.
  @Test func aSenderMayHoldALockThatTheHandlerNeeds() {
    let subject = Subject<Int, Never>(backlog: .limited(to: 50))
    let lock = Locked(0)
    let (isInside, isHeld) = (Latch(), Latch())
    subject.signal.subscribe { value in
      if value == 0 {
        isInside.signal()
        _ = isHeld.wait()
      }
      lock.withLock { $0 += 1 }
    }
    onPlainThreads(2) { index in
      if index == 0 { return subject.send(0) }
      _ = isInside.wait()
      lock.withLock { _ in
        isHeld.signal()
        for _ in 0..<100 { subject.send(1) }
      }
    }
    #expect(lock.withLock { $0 } == 101)
  }

  @Test func subjectsThatSendToEachOtherDoNotDeadlock() {
    let (one, other) = (
      Subject<Int, Never>(backlog: .limited(to: 10)), Subject<Int, Never>(backlog: .limited(to: 10))
    )
    let handled = Counter()
    one.signal.subscribe { value in
      handled.add()
      if value > 0 { other.send(value - 1) }
    }
    other.signal.subscribe { value in
      handled.add()
      if value > 0 { one.send(value - 1) }
    }
    onPlainThreads(4) { index in
      for _ in 0..<50 { (index % 2 == 0 ? one : other).send(9) }
    }
    #expect(handled.value == 4 * 50 * 10)
    // Each subject is retained by the other's handler until it ends.
    one.complete()
    other.complete()
  }

  @Test func theThreadInsideTheGateNeverGivesWay() {
    let subject = Subject<Int, Never>()
    let handled = Counter()
    subject.signal.subscribe { value in
      handled.add()
      if value == 0 {
        for number in 1...5_000 { subject.send(number) }
        let isInside = subject.hub.gate.isInside
        #expect(isInside)
      }
    }
    // The gate lets one thread at a time deliver. This thread enters it by a fast path, as its
    // owner, until another thread enters it; from then on, all threads enter by the slower path.
    subject.send(0)
    onPlainThread { subject.send(0) }
    subject.send(0)
    #expect(handled.value == 3 * 5_001)
    subject.complete()
  }

  @Test func anUnlimitedBacklogMakesNoSenderGiveWay() {
    let subject = Subject<Int, Never>(backlog: .unlimited)
    let isCrowded = Counter()
    subject.signal.subscribe { value in
      guard value == 0 else { return }
      onPlainThread {
        for number in 1...5_000 { subject.send(number) }
        subject.hub.gate.waiting.withLock { if $0.addSender() != nil { isCrowded.add() } }
      }
    }
    subject.send(0)
    #expect(isCrowded.value == 0)
    subject.complete()
  }
}
