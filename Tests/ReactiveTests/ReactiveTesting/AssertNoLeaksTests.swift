import Reactive
import ReactiveTesting
import Testing

@Suite struct AssertNoLeaksTests {
  @Test func endedSubscriptionsAreNotReported() async {
    await #expect(processExitsWith: .success) {
      let result = assertNoLeaks {
        let subject = Subject<Int, Never>()
        let seen = subject.signal.map { $0 }.merge(with: .never()).recorded()
        subject.send(1)
        seen.dispose()
        return seen.values
      }
      #expect(result == [1])
    }
  }

  @Test func aForgottenSubscriptionIsReportedWithItsPlace() async {
    await #expect(processExitsWith: .success) { AssertNoLeaksTests.forgetASubscription() }
  }

  /// This is outside the test, because inside the body of a macro `#line` is the line of the macro.
  private static func forgetASubscription() {
    let subjectLine = #line + 1
    let subject = Subject<Int, Never>()
    let line = #line + 2
    withKnownIssue {
      assertNoLeaks { _ = subject.signal.subscribe() }
    } matching: { issue in
      let here = "subscription left behind"
      return issue.comments.map(\.rawValue).allSatisfy {
        $0 == "\(here): subscribe @ AssertNoLeaksTests.swift:\(line), 1 still active"
          || $0 == "\(here): Subject @ AssertNoLeaksTests.swift:\(subjectLine), 1 still active"
      }
    }
    withExtendedLifetime(subject) {}
  }

  @Test func growthInEachRoundIsReportedInTheWordsOfRxtop() async {
    await #expect(processExitsWith: .success) { AssertNoLeaksTests.keepOneMoreInEachRound() }
  }

  private static func keepOneMoreInEachRound() {
    let subject = Subject<Int, Never>()
    let kept = Recorder<any Disposable, Never>()
    withKnownIssue {
      assertNoLeaks(rounds: 7) { kept.next(subject.signal.map { $0 + 1 }.subscribe { _ in }) }
    } matching: { issue in
      issue.comments.map(\.rawValue).allSatisfy {
        $0.hasPrefix("LEAK subscribe @ AssertNoLeaksTests.swift:")
          && $0.contains("7 live of 7 ever subscribed here; 1 more in each of 5 rounds")
          && $0.contains("Evidence: live 7;") || $0.hasPrefix("subscription left behind: ")
      }
    }
    withExtendedLifetime((subject, kept)) {}
  }

  @Test func roundsThatLeaveNothingAreNotReported() async {
    await #expect(processExitsWith: .success) {
      let subject = Subject<Int, Never>()
      assertNoLeaks(rounds: 8) { subject.signal.map { $0 + 1 }.subscribe { _ in }.dispose() }
    }
  }

  @Test func eventsAfterTheEndAreReportedInTheWordsOfRxtop() async {
    await #expect(processExitsWith: .success) {
      withKnownIssue {
        assertNoLeaks {
          let observers = Recorder<Observer<Int, Never>, Never>()
          Signal<Int, Never>.create { observers.next($0) }.subscribe { _ in }.dispose()
          for value in 0..<3 { observers.values[0].send(value) }
        }
      } matching: { issue in
        issue.comments.map(\.rawValue).contains {
          $0.hasPrefix("SUSPECT create @ ")
            && $0.contains("3 values came here after the end, one after the other on one thread")
        }
      }
    }
  }

  @Test func aTimerThatIsStillRunningIsReported() async {
    await #expect(processExitsWith: .success) {
      let time = TestScheduler()
      withKnownIssue {
        assertNoLeaks { _ = time.schedule(every: .seconds(1)) {} }
      } matching: { issue in
        issue.comments.contains { $0.rawValue.hasPrefix("timer left behind: schedule(every:) @ ") }
      }
      time.cancelAll()
    }
  }

  @Test func aRetainedDisposableIsNoLeak() async {
    await #expect(processExitsWith: .success) {
      let kept = Recorder<any Disposable, Never>()
      assertNoLeaks {
        let subject = Subject<Int, Never>()
        kept.next(subject.signal.subscribe())
        subject.complete()
      }
    }
  }

  @Test func subscriptionsThatEndWhileTheBodyAwaitsAreNotReported() async {
    await #expect(processExitsWith: .success) {
      let result = await assertNoLeaks {
        let seen = Recorder<Int, Never>()
        let queue = QueueScheduler(label: "leaks")
        await withCheckedContinuation { continuation in
          Signal<Int, Never>.from([1, 2]).deliver(on: queue).take(2)
            .doDisposed { queue.schedule { continuation.resume() } }
            .subscribe { seen.next($0) }
        }
        return seen.values
      }
      #expect(result == [1, 2])
    }
  }

  @Test func aSubscriptionForgottenByAnAsynchronousBodyIsReported() async {
    await #expect(processExitsWith: .success) {
      let subject = Subject<Int, Never>()
      await withKnownIssue {
        await assertNoLeaks {
          await Task.yield()
          subject.signal.subscribe()
          await Task.yield()
        }
      } matching: { issue in
        issue.comments.contains { $0.rawValue.hasPrefix("subscription left behind: ") }
      }
      withExtendedLifetime(subject) {}
    }
  }

  @Test func subscriptionsFromBeforeTheBodyAreNotReported() async {
    await #expect(processExitsWith: .success) {
      let subject = Subject<Int, Never>()
      assertNoLeaks {}
      subject.signal.subscribe()
      assertNoLeaks { subject.send(1) }
    }
  }
}
