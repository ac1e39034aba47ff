import Glibc
import Reactive
import Synchronization

/// Measures how much stack each operator of a chain takes.
enum Stack {
  private static let count = 100

  private typealias Operator = @Sendable (Signal<Int, Never>) -> Signal<Int, Never>

  private static var operators: [(name: String, apply: Operator)] {
    [
      ("map", { $0.map { $0 &+ 1 } }),
      ("filter", { $0.filter { $0 >= 0 } }),
      ("scan", { $0.scan(0, &+) }),
      ("take", { $0.take(9) }),
      ("concat", { Signal<Int, Never>.empty().concat($0) }),
      ("merge", { $0.map { $0 }.merge(with: .never()) }),
      ("flatMap", { $0.map { $0 }.flatMap { .just($0) } }),
      ("concatMap", { $0.map { $0 }.concatMap { .just($0) } }),
      ("combineLatest", { $0.combineLatest(with: .just(1)).map { $0 &+ $1 } }),
      ("share", { $0.share() }),
      ("distinctUntilChanged", { $0.distinctUntilChanged() }),
    ]
  }

  /// Prints the bytes per operator, when the chain is subscribed to and when a value passes.
  static func print() {
    for (name, apply) in operators {
      let (here, source, handler) = (Atomics(), Atomics(), Atomics())
      onASmallStack {
        here.set(position())
        let subject = Subject<Int, Never>()
        let first = Signal<Int, Never>.create { observer in
          source.set(position())
          subject.signal.subscribe { observer.send($0) }
        }
        CurrentWork.run {
          (0..<count).reduce(first) { signal, _ in apply(signal) }
            .subscribe { _ in handler.set(position()) }
        }
        subject.send(1)
      }
      Swift.print(name, (here.value - source.value) / count, (here.value - handler.value) / count)
    }
  }

  @inline(never)
  private static func position() -> Int {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) {
      $0.baseAddress.map { Int(bitPattern: $0) } ?? 0
    }
  }
}

final class Atomics: Sendable {
  private let number = Atomic(0)
  var value: Int { number.load(ordering: .relaxed) }
  func set(_ new: Int) { number.store(new, ordering: .relaxed) }
  func add() -> Int { number.wrappingAdd(1, ordering: .relaxed).newValue }
}
