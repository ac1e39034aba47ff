internal import Dispatch
internal import Glibc
internal import Reactive

/// Keeps many subscriptions alive and sends to a few of them, until standard input ends:
/// `many-subscriptions LIVE EVENTS-PER-SECOND`.
@main
enum ManySubscriptions {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
    guard arguments.count == 2, arguments.allSatisfy({ $0 > 0 }) else {
      print("usage: many-subscriptions LIVE EVENTS-PER-SECOND")
      return
    }
    Load.run(live: arguments[0], rate: arguments[1])
  }
}

/// The load, in a separate type, because the functions of `ManySubscriptions` are isolated to the
/// main actor, but the handler of a timer is not.
enum Load {
  static func run(live: Int, rate: Int) {
    let bag = DisposableBag()
    let subjects = (0..<100).map { _ in Subject<Int, Never>() }
    // Each chain has three subscriptions: those of the subject and `map`, and the program's own.
    for number in 0..<(live / 3) {
      subjects[number % subjects.count].signal.map { $0 &+ number }.subscribe(next: { _ in })
        .store(in: bag)
    }
    // All events go through this subject, because a value of another subject would go to about a
    // thousand subscriptions.
    let busy = Subject<Int, Never>()
    busy.signal.map { $0 &* 2 }.subscribe(next: { _ in }).store(in: bag)
    print("ready")
    fflush(nil)
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now(), repeating: .milliseconds(10))
    timer.setEventHandler { for value in 0..<max(1, rate / 200) { busy.send(value) } }
    timer.resume()
    while getchar() != EOF {}
    timer.cancel()
    // When the last reference to a subject is gone, its subscriptions end.
    withExtendedLifetime((subjects, busy, bag)) {}
  }
}
