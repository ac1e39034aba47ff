internal import Glibc
import Reactive
import ReactiveTrace

/// Passes a parcel through five places, each of which prints how the parcel got there.
///
/// The places are a queue, a timer, a Swift task, an actor and the main thread, so they run on
/// different threads at different times.
///
///     RXTRACE=1 relay
///
/// Without RXTRACE in the environment, relay prints why it has no backtraces. At the end it waits
/// to be killed; its trace contains the same backtraces, which `rxtop dump --backtraces` prints.
///
/// An inlined function has no frame: the program prints only its caller, while `rxtop` shows both.
/// So that the two can be compared, the functions of the five places are not inlined.
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
    // The backtrace of a task continues with that of the work that created it.
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
    // A subscription records this place and the running work, so `rxtop` shows the whole path.
    received.signal.subscribe { print("received \($0)") }
    received.send(parcel)
    fflush(nil)
  }

  static func report(_ stage: String) {
    print("--- \(stage)\n\(AsyncBacktrace.current)")
    fflush(nil)
  }
}

/// The actor on which the parcel is registered.
actor Ledger {}
