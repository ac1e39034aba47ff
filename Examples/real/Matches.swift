import Reactive
import Synchronization

/// A lobby for games, where one match follows the other; each match runs a countdown.
///
/// Rebuilt from ReactiveX/RxSwift#2249. Users subscribed to an interval without keeping the
/// disposable, and found that all intervals ran on and memory grew.
extension Real {
  static let matches = Report("matches", "timers of earlier matches run on") { version in
    let lobby = Lobby()
    for number in 1...12 {
      lobby.open(Match(number, lobby, version))
      for move in 1...5 {
        await pause(60)
        lobby.match.value?.play(move)
      }
      lobby.match.value?.end()
      lobby.match.value = nil
      await pause(40)
    }
    let before = lobby.beats.count
    await pause(600)
    print("no match open, and \(lobby.beats.count - before) beats in 600 ms")
    return lobby
  }
}

/// The lobby, in which matches are opened.
private final class Lobby: Sendable {
  let match = MutableProperty<Match?>(nil, "match")
  let beats = Tally()
  let guests = MutableProperty(0, "guests")
  private let clock = MutableProperty(0, "clock")
  private let bag = DisposableBag()

  init() {
    every(.milliseconds(250)) { [clock] in clock.value = $0 }.store(in: bag)
    every(.milliseconds(700)) { [guests] in guests.value = $0 % 4 }.store(in: bag)
  }

  func open(_ match: Match) { self.match.value = match }
}

/// One match, whose board takes some memory.
private final class Match: Sendable {
  private let moves = Subject<Int, Never>("moves")
  private let left = MutableProperty(0, "left")
  private let score = MutableProperty(0, "score")
  private let bag = DisposableBag()

  init(_ number: Int, _ lobby: Lobby, _ version: Version) {
    let board = [Int](repeating: number, count: 1000)
    every(.milliseconds(80)) { [left] in left.value = 60 - $0 }.store(in: bag)
    let beats = lobby.beats
    if version == .fixed {
      every(.milliseconds(100)) { _ in beats.add(board.count) }.store(in: bag)
    } else {
      every(.milliseconds(100)) { _ in beats.add(board.count) }  // blame
    }
    moves.signal.scan(0, +).bind(to: score).store(in: bag)
    score.signal.throttle(.milliseconds(100), on: .main).subscribe { _ in }.store(in: bag)
  }

  func play(_ move: Int) { moves.send(move) }

  func end() {
    moves.complete()
    bag.empty()
  }
}

/// Calls a closure again and again with the number of the call, on the main queue.
@discardableResult
private func every(
  _ interval: Duration,
  _ work: @escaping @Sendable (Int) -> Void
) -> any Disposable {
  Signal.interval(interval, on: .main).subscribe { work($0) }
}

/// Counts beats.
private final class Tally: Sendable {
  private let total = Atomic(0)
  var count: Int { total.load(ordering: .relaxed) }
  func add(_ size: Int) { total.add(min(size, 1), ordering: .relaxed) }
}
