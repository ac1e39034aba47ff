import Observation
import Reactive
import ReactiveTesting
import Testing

/// `Signal.observing` sends some of the changes of an `@Observable` object, but not all.
@Suite final class ObservingTests {
  @Observable final class Account: @unchecked Sendable {
    // Unchecked: each test changes its object on one thread or one serial queue.
    var balance = 0
    var owner = "a"
    @ObservationIgnored var note = 0
  }

  private let time = TestScheduler()

  /// Runs pending work: the release of an observed object schedules work that completes its
  /// signals, and this work retains their subscriptions until it has run.
  deinit { time.run() }

  @Test func readsAtSubscriptionAndAfterEachChange() {
    let account = Account()
    let seen = Signal.observing(account, on: time) { $0.balance }.recorded()
    time.advance(by: .zero)
    account.balance = 1
    #expect(seen.values == [0])
    time.advance(by: .zero)
    account.balance = 2
    time.advance(by: .zero)
    #expect(seen.values == [0, 1, 2])
    withExtendedLifetime(account) {}
  }

  @Test func changesBeforeTheNextReadAreSeenAsOne() {
    let account = Account()
    let seen = Signal.observing(account, on: time) { $0.balance }.recorded()
    time.advance(by: .zero)
    account.balance = 1
    account.balance = 2
    time.advance(by: .zero)
    account.balance = 3
    account.balance = 2
    time.advance(by: .zero)
    #expect(seen.values == [0, 2, 2])
    withExtendedLifetime(account) {}
  }

  @Test func changesOfUnreadOrUnobservedPropertiesAreNotSeen() {
    let account = Account()
    let seen = Signal.observing(account, on: time) { $0.balance + $0.note }.recorded()
    time.advance(by: .zero)
    account.owner = "b"
    account.note = 10
    time.advance(by: .zero)
    #expect(seen.values == [0])
    account.balance = 1
    time.advance(by: .zero)
    #expect(seen.values == [0, 11])
    withExtendedLifetime(account) {}
  }

  @Test func completesWhenTheObjectIsReleased() {
    var account: Account? = Account()
    weak let held = account
    let seen = account.map { Signal.observing($0, on: time) { $0.balance } }?.recorded()
    time.advance(by: .zero)
    account?.balance = 1
    time.advance(by: .zero)
    account = nil
    #expect(held == nil)
    time.advance(by: .zero)
    #expect(seen?.events == [.next(0), .next(1), .completed])
  }

  @Test func completesIfNothingThatItReadCanChange() {
    let account = Account()
    let seen = Signal.observing(account, on: time) { _ in 7 }.recorded()
    time.advance(by: .zero)
    #expect(seen.events == [.next(7), .completed])
  }

  @Test func afterDisposalNothingIsReadAndFromTheNextChangeOnNothingIsHeld() {
    let account = Account()
    let lives = LifeCount()
    let reads = Counter()
    let subscription = Signal<Int, Never>.observing(account, on: time) { account in
      reads.add()
      return account.balance
    }
    .subscribe { [t = lives.token()] _ in t.touch() }
    time.advance(by: .zero)
    account.balance = 1
    subscription.dispose()
    time.advance(by: .zero)
    #expect(reads.value == 1)
    #expect(lives.count == 0)
    account.balance = 2
    time.advance(by: .zero)
    #expect(reads.value == 1)
  }

  @Test func disposalFromInsideAValueEndsIt() {
    let account = Account()
    let seen = Signal.observing(account, on: time) { $0.balance }.take(2).recorded()
    time.advance(by: .zero)
    account.balance = 1
    time.advance(by: .zero)
    account.balance = 2
    time.advance(by: .zero)
    #expect(seen.events == [.next(0), .next(1), .completed])
  }

  @Test func eachSubscriptionReadsSeparately() {
    let account = Account()
    let signal = Signal.observing(account, on: time) { $0.balance }
    let first = signal.recorded()
    time.advance(by: .zero)
    account.balance = 1
    let second = signal.recorded()
    time.advance(by: .zero)
    #expect(first.values == [0, 1])
    #expect(second.values == [1])
  }

  /// The last value is always sent if only work of the scheduler changes the object, as documented.
  @Test func onASerialQueueTheLastValueIsSeen() {
    let queue = QueueScheduler(label: "accounts")
    let account = Account()
    let latch = Latch()
    let last = 8 * scaledCount(250)
    let subscription = Signal.observing(account, on: queue) { $0.balance }
      .subscribe { if $0 == last { latch.signal() } }
    onPlainThreads(8) { _ in
      for _ in 0..<last / 8 { queue.schedule { account.balance += 1 } }
    }
    #expect(latch.wait())
    subscription.dispose()
  }
}

extension MainQueueTests {
  @Suite(.serialized) struct MainActorObservingTests {
    @Observable @MainActor final class Model {
      var name = "a"
    }

    @MainActor @Test func theFirstValueComesAtOnceAndLaterOnesAfterTheWorkThatSetThem() async {
      let model = Model()
      let seen = Recorder<String, Never>()
      let subscription = Signal.observing(onMainActor: model) { $0.name }.subscribe {
        seen.next($0)
      }
      #expect(seen.values == ["a"])
      model.name = "b"
      model.name = "c"
      #expect(seen.values == ["a"])
      while seen.count < 2 { await Task.yield() }
      #expect(seen.values == ["a", "c"])
      subscription.dispose()
    }
  }
}
