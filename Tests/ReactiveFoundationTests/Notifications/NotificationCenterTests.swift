import Foundation
import Reactive
import ReactiveFoundation
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

@Suite struct NotificationCenterTests {
  static let name = Notification.Name("tests.done")

  @Test func sendsANotificationsValueBeforePostReturns() {
    let center = NotificationCenter()
    let seen = Recorder<Int?, Never>()
    seen.record(center.reactive.notifications(Self.name) { $0.userInfo?["count"] as? Int })
    center.post(name: Self.name, object: nil, userInfo: ["count": 7])
    center.post(name: Notification.Name("other"), object: nil)
    #expect(seen.values == [7])
    #expect(!seen.hasEnded)
  }

  @Test func onlyNotificationsOfTheGivenSenderAreReceivedAndItIsNotRetained() {
    let center = NotificationCenter()
    final class Sender: Sendable {}
    let other = Sender()
    var sender: Sender? = Sender()
    weak let held = sender
    let seen = center.reactive.notifications(Self.name, object: sender).map { 1 }.recorded()
    center.post(name: Self.name, object: sender)
    center.post(name: Self.name, object: other)
    #expect(seen.values == [1])
    sender = nil
    #expect(held == nil)
  }

  @Test func afterDisposalNothingIsSentOrHeld() {
    let center = NotificationCenter()
    let lives = LifeCount()
    let seen = Recorder<Void, Never>()
    let subscription = center.reactive.notifications(Self.name)
      .doNext { [token = lives.token()] in token.touch() }
      .subscribe { seen.next($0) }
    center.post(name: Self.name, object: nil)
    #expect(seen.count == 1 && lives.count == 1)
    subscription.dispose()
    center.post(name: Self.name, object: nil)
    #expect(seen.count == 1)
    #expect(lives.count == 0)
  }

  @Test func afterDisposalTheCenterHasForgottenTheSubscription() {
    let center = NotificationCenter()
    let calls = Recorder<Void, Never>()
    for _ in 0..<10 {
      center.reactive.notifications(Self.name) { _ in calls.next(()) }.subscribe { _ in }.dispose()
    }
    center.post(name: Self.name, object: nil)
    #expect(calls.count == 0)
  }

  @Test func anObjectAtTheAddressOfAReleasedOneIsAnotherOne() {
    final class Job {}
    let center = NotificationCenter()
    let seen = Recorder<Void, Never>()
    var job: Job? = Job()
    let address = job.map { UInt(bitPattern: ObjectIdentifier($0)) }
    let subscription = center.reactive.notifications(Self.name, object: job)
      .subscribe { seen.next($0) }
    center.post(name: Self.name, object: job)
    #expect(seen.count == 1)
    job = nil
    // Memory of the same size is usually used again soon.
    let others = (0..<1000).map { _ in Job() }
    for other in others where UInt(bitPattern: ObjectIdentifier(other)) == address {
      center.post(name: Self.name, object: other)
    }
    #expect(seen.count == 1)
    subscription.dispose()
  }

  @Test func aSubscriptionEndsWithoutAnEventWhenItsCenterIsReleased() {
    var center: NotificationCenter? = NotificationCenter()
    let seen = Recorder<Void, Never>()
    let subscription = center?.reactive.notifications(Self.name).subscribe(
      next: { seen.next($0) },
      completed: { seen.complete() }
    )
    #expect(subscription?.isDisposed == false)
    center = nil
    #expect(subscription?.isDisposed == true)
    #expect(seen.events.isEmpty)
  }

  @Test func appearsInATraceWithNamePlaceOwnerAndTheHopsOfThePoster() async {
    await #expect(processExitsWith: .success) {
      let center = NotificationCenter()
      let poster = QueueScheduler(label: "poster")
      let trace = try TracedBridge.record({
        (center.reactive.notifications(Self.name), #line)
      }) { inbox in
        poster.schedule { center.post(name: Self.name, object: nil) }
        #expect(inbox.wait(forValues: 1))
      }
      try trace.expect("notifications", hopsOn: nil)
      let number = trace.snapshot.schedulers.first { $0.name == "poster" }?.index
      #expect(number != nil)
      let begun = trace.snapshot.records.filter { $0.kind == .hopBegan && $0.argument == number }
      #expect(!begun.isEmpty)
    }
  }
}
