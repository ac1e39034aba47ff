internal import Glibc
import Reactive
import ReactiveTrace

/// A parcel on its way through five places, each of which prints how the parcel came there.
///
/// They run at different times on different threads: a queue, a timer, a Swift task, an actor and the main
/// thread.
///
///     RXTRACE=1 relay
///
/// Without RXTRACE in the environment it prints why there is nothing to show. At the end it waits
/// to be killed: its trace holds the same, with files and lines (`rxtop dump --backtraces`).
///
/// A function that the compiler puts into its caller has no separate frame: what is printed here names
/// the caller then, and `rxtop` both. So that the two can be compared, these are not inlined.
@main
enum Relay {
  static let packing = QueueScheduler(label: "packing")
  static let ledger = ActorScheduler(Ledger(), name: "ledger")
  static let received = Subject<String, Never>()

  static func main() async {
    post("parcel 1")
    while true { try? await Task.sleep(for: .seconds(1000)) }
  }

  @inline(never)
  static func post(_ parcel: String) {
    packing.schedule { pack(parcel) }
  }

  // MARK: The queue

  @inline(never)
  static func pack(_ parcel: String) {
    report("queue")
    QueueScheduler.background.schedule(after: .milliseconds(10)) { collect(parcel) }
  }

  // MARK: The timer

  @inline(never)
  static func collect(_ parcel: String) {
    report("timer")
    // A task continues with the work it was made in, and leads to this place.
    Task { await transport(parcel) }
  }

  // MARK: The task

  @inline(never)
  static func transport(_ parcel: String) async {
    report("task")
    await Task.yield()
    ledger.schedule { register(parcel) }
  }

  // MARK: The actor

  @inline(never)
  static func register(_ parcel: String) {
    report("actor")
    QueueScheduler.main.schedule { receive(parcel) }
  }

  // MARK: The main thread

  @inline(never)
  static func receive(_ parcel: String) {
    report("main")
    // A subscription remembers the work it was made in, and this place: `rxtop` shows the whole way.
    received.signal.subscribe { print("received \($0)") }
    received.send(parcel)
    fflush(nil)
  }

  static func report(_ stage: String) {
    print("--- \(stage)\n\(AsyncBacktrace.current)")
    fflush(nil)
  }
}

/// An actor of the program.
actor Ledger {}
