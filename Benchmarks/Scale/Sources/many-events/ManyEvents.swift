internal import Dispatch
internal import Reactive
internal import ReactiveTrace

/// Sends millions of events through a few thousand subscriptions, some of which come and go:
/// `many-events EVENTS LIVE THREADS`.
///
/// An event is a value that arrives at one subscription, so a value counts once for each
/// subscription of its chain.
@main
enum ManyEvents {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
    guard arguments.count == 3, arguments.allSatisfy({ $0 > 0 }) else {
      print("usage: many-events EVENTS LIVE THREADS")
      return
    }
    let (events, live, threads) = (arguments[0], arguments[1], arguments[2])
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var feed = Feed(live: live / threads)
      let end = events / threads
      var sent = 0
      var round = 0
      while sent < end {
        sent += feed.round(round)
        round += 1
        if thread == 0, round % 2000 == 0 { Trace.mark("round \(round)") }
      }
      feed.bag.empty()
    }
    Trace.stop()
  }
}

struct Failure: Error {}

/// Subjects with long-lived subscriptions, and a few that come and go.
struct Feed {
  let subjects: [Subject<Int, Failure>]
  let bag = DisposableBag()

  /// Each chain has three subscriptions: those of `filter` and `map`, and the program's own.
  init(live: Int) {
    let perSubject = 8
    subjects = (0..<max(1, live / 3 / perSubject)).map { _ in Subject() }
    for subject in subjects {
      for number in 0..<perSubject {
        subject.signal.map { $0 &+ number }.filter { $0 >= 0 }
          .subscribe(next: { _ in }, failed: { _ in })
          .store(in: bag)
      }
    }
  }

  /// Sends a value from one subject, in some rounds also to a short-lived subscription, and returns
  /// the number of events.
  mutating func round(_ round: Int) -> Int {
    let subject = subjects[round % subjects.count]
    subject.send(round)
    var events = 8 * 3
    if round % 16 == 0 {
      let visitor = subject.signal.map { $0 &* 2 }.subscribe(next: { _ in }, failed: { _ in })
      subject.send(round)
      visitor.dispose()
      events += 8 * 3 + 2
    }
    if round % 4096 == 0 {
      let failing = Subject<Int, Failure>()
      failing.signal.map { $0 }.subscribe(next: { _ in }, failed: { _ in }).store(in: bag)
      failing.fail(Failure())
    }
    return events
  }
}
