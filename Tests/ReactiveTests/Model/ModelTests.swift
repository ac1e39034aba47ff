import Glibc
import Reactive
import ReactiveTesting
import Testing

/// Compares random trees of operators with a model that computes with lists.
///
/// `REACTIVE_MODEL_TREES=2000000` sets the number of trees, and `REACTIVE_MODEL_SEED=900000` the
/// first seed. A difference is reported with the seed of its tree. The tree depends only on this
/// seed: to run it alone, set the first seed to the reported one, and the number of trees to 1.
@Suite struct ModelTests {
  private static let count = number("REACTIVE_MODEL_TREES") ?? scaledDepth(20_000)
  private static let seed = number("REACTIVE_MODEL_SEED") ?? 1
  private static let parts = 4

  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }

  @Test(arguments: 0..<parts)
  func treesOfOperatorsSendTheEventsOfTheModel(_ part: Int) {
    var differences = 0
    var tried = 0
    for index in stride(from: part, to: Self.count, by: Self.parts) {
      let seed = UInt64(Self.seed + index)
      var generator = ModelGenerator(seed: seed)
      let (tree, disposal) = generator.next()
      switch Self.difference(tree, disposal) {
      case .none: tried += 1
      case .skipped: continue
      case .found:
        differences += 1
        if differences <= 3 { Self.report(tree, disposal, seed) }
      }
    }
    #expect(differences == 0)
    // Fewer than half of the trees are skipped because they are ambiguous.
    if Self.count >= 1_000 { #expect(tried * 2 > Self.count / Self.parts) }
  }

  // MARK: One tree

  private enum Difference {
    case none
    case skipped
    case found(String)
  }

  private static func report(_ tree: ModelTree, _ disposal: Int?, _ seed: UInt64) {
    var least = tree
    search: while true {
      for less in least.smaller {
        if case .found = difference(less, disposal) {
          least = less
          continue search
        }
      }
      break
    }
    guard case .found(let text) = difference(least, disposal) else { return }
    let end = disposal.map { "disposed of at \($0)" } ?? "not disposed of"
    Issue.record("seed \(seed), \(end):\n\(least)\n\(text)")
  }

  /// Runs a tree, and compares its events with the model.
  private static func difference(_ tree: ModelTree, _ disposal: Int?) -> Difference {
    guard var expected = try? tree.events(at: 0) else { return .skipped }
    if let disposal { expected.removeAll { $0.time > disposal } }
    let stage = ModelStage()
    let time = stage.time
    stage.playHot(in: tree)
    let seen = Locked<[Stamped]>([])
    let aliveAtEnd = Counter()
    let held = Box<any Disposable>()
    @Sendable func note(_ event: ModelEvent) {
      if event.isEnd, !tree.ownsLate { aliveAtEnd.add(stage.alive.value) }
      let now = Int(time.now / .ticks(1))
      seen.withLock { $0.append(Stamped(time: now, event: event)) }
    }
    time.schedule {
      held.value = stage.signal(tree).subscribe(
        next: { note(.next($0)) },
        failed: { note(.failed($0)) },
        completed: { note(.completed) }
      )
    }
    if let disposal {
      time.schedule(after: .ticks(disposal)) {
        held.value?.dispose()
        aliveAtEnd.add(stage.alive.value)
      }
    }
    guard time.run(atMost: 100_000) else { return .found("does not come to an end") }
    let isDisposed = held.value?.isDisposed ?? false
    held.value?.dispose()
    let got = seen.withLock { $0 }
    if got != expected { return .found("expected \(expected)\ngot      \(got)") }
    if aliveAtEnd.value != 0 {
      return .found("\(aliveAtEnd.value) sources ran on when it had ended")
    }
    if stage.alive.value != 0 { return .found("\(stage.alive.value) sources were not ended") }
    if expected.last?.event.isEnd == true, !isDisposed {
      return .found("not disposed of by its end")
    }
    return .none
  }
}
