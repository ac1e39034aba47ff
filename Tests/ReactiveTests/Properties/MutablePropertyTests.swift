import Reactive
import ReactiveTesting
import Synchronization
import Testing

@Suite struct MutablePropertyTests {
  @Test func sendsItsValueThenEachNewValue() {
    let property = MutableProperty(0)
    let early = property.signal.recorded()
    property.value = 1
    let late = property.signal.recorded()
    property.value = 1
    #expect(early.values == [0, 1, 1])
    #expect(late.values == [1, 1])
    #expect(!early.hasEnded)
  }

  @Test func completesWhenItIsReleased() {
    let seen = Recorder<Int, Never>()
    let signal: Signal<Int, Never>
    do {
      let property = MutableProperty(0)
      signal = property.signal
      seen.record(signal)
      property.value = 1
      #expect(!seen.hasEnded)
    }
    #expect(seen.events == [.next(0), .next(1), .completed])
    #expect(signal.recorded().events == [.next(1), .completed])
  }

  @Test func theValueIsSetImmediatelyWhileItsEventWaits() {
    let property = MutableProperty(0)
    let read = Recorder<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = property.signal.subscribe { value in
      if value == 1 {
        property.value = 2
        read.next(property.value)
      }
      seen.next(value)
    }
    property.value = 1
    #expect(read.values == [2])
    #expect(seen.values == [0, 1, 2])
    subscription.dispose()
  }

  @Test func nothingIsReceivedAfterDisposalFromInsideAHandler() {
    let property = MutableProperty(0)
    let handle = SingleAssignmentDisposable()
    let seen = Recorder<Int, Never>()
    handle.set(
      property.signal.subscribe { value in
        seen.next(value)
        if value == 1 {
          property.value = 2
          handle.dispose()
        }
      }
    )
    property.value = 1
    property.value = 3
    #expect(seen.values == [0, 1])
  }

  @Test func swapReturnsThePreviousValue() {
    let property = MutableProperty("a")
    #expect(property.swap("b") == "a")
    #expect(property.value == "b")
  }

  @Test func modifySendsOneEventAndReturnsTheResultOfItsClosure() throws {
    let property = MutableProperty([1])
    let seen = property.signal.recorded()
    let count = property.modify { values in
      values.append(2)
      values.append(3)
      return values.count
    }
    #expect(count == 3)
    #expect(seen.values == [[1], [1, 2, 3]])
    #expect(throws: TestFailure.self) {
      try property.modify { values in
        values = []
        throw TestFailure()
      }
    }
    #expect(property.value == [1, 2, 3])
    #expect(seen.count == 2)
  }

  @Test func modifyMaySetThePropertyFromInside() {
    let property = MutableProperty(0)
    let runs = Counter()
    property.modify { value in
      if runs.add() == 1 { property.value = 10 }
      value += 1
    }
    #expect(property.value == 11)
    #expect(runs.value == 2)
  }

  @Test func noChangeMadeByEightThreadsIsLost() {
    let property = MutableProperty(0)
    let rounds = scaledCount(2_000)
    let seen = Recorder<Int, Never>()
    let subscription = property.signal.subscribe { seen.next($0) }
    onPlainThreads(8) { _ in for _ in 0..<rounds { property.modify { $0 += 1 } } }
    #expect(property.value == 8 * rounds)
    #expect(seen.values == Array(0...8 * rounds))
    subscription.dispose()
  }

  @Test func anOptionalValueMayBeNil() {
    let property = MutableProperty<Int?>(nil)
    let seen = property.signal.recorded()
    property.value = 1
    #expect(property.swap(nil) == 1)
    #expect(seen.values == [nil, 1, nil])
  }

  @Test func aValueMayUseThePropertyWhenItIsReleased() {
    let reads = Counter()
    let box = Box<MutableProperty<ReleaseNote?>>()
    let property = MutableProperty<ReleaseNote?>(
      ReleaseNote { if box.value?.value == nil { reads.add() } }
    )
    box.value = property
    property.value = nil
    #expect(reads.value == 1)
    box.value = nil
  }

  @Test func itsNameAndPlaceAreInItsDescription() {
    let line = UInt32(#line + 1)
    let property = MutableProperty(0, "score")
    #expect(property.signal.description == "score")
    #expect(
      property.signal.site.description == "MutableProperty @ MutablePropertyTests.swift:\(line)"
    )
    #expect(MutableProperty(0).signal.description == "MutableProperty(…)")
  }

  /// If another thread sets the value meanwhile, `modify` runs its closure again; this must be
  /// rare.
  @Test(.tags(.stress)) func theClosureRunsHardlyMoreThanOnceForEachChangeOfEightThreads() {
    let property = MutableProperty(0)
    let rounds = scaledCount(20_000)
    let runs = Atomic<Int>(0)
    onPlainThreads(8) { _ in
      for _ in 0..<rounds {
        property.modify { value in
          runs.wrappingAdd(1, ordering: .relaxed)
          value += 1
        }
      }
    }
    #expect(property.value == 8 * rounds)
    #expect(runs.load(ordering: .relaxed) < 16 * rounds)
  }
}
