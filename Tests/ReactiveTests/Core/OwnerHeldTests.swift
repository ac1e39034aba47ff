import Reactive
import ReactiveTesting
import ReactiveTrace
import Synchronization
import Testing
import TraceReading

/// An object that owns subscriptions through a bag; their closures hold the object in different
/// ways.
private final class HoldingPage: Sendable {
  let bag = DisposableBag()
  let button = HoldingButton()
  private let count = Atomic(0)

  func handlesStrongly(_ numbers: Signal<Int, Never>) {
    numbers.subscribe { _ in self.add() }.store(in: bag)
  }

  func mapsByName(_ numbers: Signal<Int, Never>) {
    numbers.filter { $0 > 0 }.map(text).subscribe { _ in }.store(in: bag)
  }

  func pressesStrongly() {
    button.follow { self.add() }
  }

  func handlesWeakly(_ numbers: Signal<Int, Never>) {
    numbers.map { [weak self] in self?.text($0) ?? "" }
      .subscribe { [weak self] _ in self?.add() }
      .store(in: bag)
  }

  func holdsAnother(_ numbers: Signal<Int, Never>, _ other: HoldingPage) {
    numbers.subscribe { _ in other.add() }.store(in: bag)
  }

  func add() { count.add(1, ordering: .relaxed) }

  private func text(_ number: Int) -> String { "\(number)" }
}

/// A part of a page, with a separate bag.
private final class HoldingButton: Sendable {
  let presses = Subject<Void, Never>()
  private let bag = DisposableBag()

  func follow(_ action: @escaping @Sendable () -> Void) {
    presses.signal.map { action() }.subscribe { _ in }.store(in: bag)
  }
}

/// The operators whose closures hold the owner of their subscription, according to a trace.
private func holders(_ body: () -> Void) throws -> [String] {
  try PrivateTrace.start()
  defer { PrivateTrace.remove() }
  body()
  let snapshot = try TraceReader(path: try #require(Trace.path)).snapshot()
  return snapshot.records.compactMap { record in
    record.ownerHolding.map { snapshot.sites[Int($0.site)].name }
  }
}

/// Tests the records about closures that hold the owner of their subscription; each test traces a
/// separate process.
@Suite struct OwnerHeldTests {
  @Test func aHandlerThatHoldsTheOwnerOfItsBagIsRecorded() async {
    await #expect(processExitsWith: .success) {
      let (numbers, page) = (Subject<Int, Never>(), HoldingPage())
      let found = try holders { page.handlesStrongly(numbers.signal) }
      #expect(found == ["subscribe"])
    }
  }

  @Test func aMethodPassedByNameIsRecordedAsHoldingItsOwner() async {
    await #expect(processExitsWith: .success) {
      let (numbers, page) = (Subject<Int, Never>(), HoldingPage())
      let found = try holders { page.mapsByName(numbers.signal) }
      #expect(found == ["map"])
    }
  }

  @Test func anOwnerThatIsHeldThroughAPartIsRecorded() async {
    await #expect(processExitsWith: .success) {
      let page = HoldingPage()
      let found = try holders { page.pressesStrongly() }
      // This breaks the reference cycle, so that nothing leaks.
      page.button.presses.complete()
      #expect(found == ["map"])
    }
  }

  @Test func weakReferencesAndReferencesToOtherObjectsAreNotRecorded() async {
    await #expect(processExitsWith: .success) {
      let (numbers, page, other) = (Subject<Int, Never>(), HoldingPage(), HoldingPage())
      let found = try holders {
        page.handlesWeakly(numbers.signal)
        page.holdsAnother(numbers.signal, other)
      }
      #expect(found.isEmpty)
    }
  }

  @Test func onlyASampleOfManyEqualSubscriptionsIsChecked() async {
    await #expect(processExitsWith: .success) {
      let numbers = Subject<Int, Never>()
      let pages = (0..<100).map { _ in HoldingPage() }
      let found = try holders { for page in pages { page.handlesStrongly(numbers.signal) } }
      #expect((4...12).contains(found.count))
    }
  }
}
