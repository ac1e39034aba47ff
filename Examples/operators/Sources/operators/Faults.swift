import Reactive
import ReactiveTrace

/// Runs a program with a fault at each of the five operators, for a second.
///
///     RXTRACE=events,file=operators.rxtrace swift run operators
///     rxtop operators.rxtrace
@main
enum Faults {
  @MainActor
  static func main() async {
    let (numbers, silent) = (Subject<Int, Never>(), Subject<Int, Never>())
    let shared = numbers.signal.broadcast()
    let connection = shared.connect()
    let visit = shared.signal.subscribe { _ in }
    let kept: [any Disposable] = [
      connection,
      // No number is negative, so nothing passes.
      numbers.signal.sieve { $0 < 0 }.subscribe { _ in },
      // The numbers never complete, so the list grows.
      numbers.signal.hoard().subscribe { _ in },
      // The second signal never sends.
      numbers.signal.blend(silent.signal).subscribe { _ in },
      // None of the inner signals ends.
      numbers.signal.filter { $0 % 20 == 0 }.fan { number in silent.signal.map { $0 + number } }
        .subscribe { _ in },
    ]
    for round in 0..<200 {
      for part in 0..<10 { numbers.send(round * 10 + part) }
      // After this, the broadcast has no subscribers.
      if round == 20 { visit.dispose() }
      try? await Task.sleep(for: .milliseconds(5))
    }
    Trace.stop()
    withExtendedLifetime((kept, numbers, silent, shared)) {}
  }
}
