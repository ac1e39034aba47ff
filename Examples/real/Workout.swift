import Reactive

/// A trainer: after a countdown a stopwatch runs, the user notes laps, and music plays. Each part
/// is a bloc, which turns one event after the other into new states.
///
/// Rebuilt from felangel/bloc#186. The states for one event came from an endless timer, so all
/// later events waited for ever.
extension Real {
  static let workout = Report("workout", "nothing happens any more") { version in
    let music = Music()
    var laps = 0
    for round in 1...3 {
      let training = Training(version)
      training.warmUp()
      music.play("song \(round)")
      await pause(300)
      training.start()
      for _ in 0..<3 {
        await pause(200)
        training.lap()
        music.skip()
      }
      await pause(150)
      training.finish()
      await pause(100)
      laps += training.state.laps
    }
    print("workout: \(laps) of 9 laps were noted, and \(music.skipped) of 9 songs were skipped")
    return music
  }
}

/// Handles one event after the other.
private final class Bloc<Event: Sendable, State: Sendable>: Sendable {
  let state: MutableProperty<State>
  private let events: Subject<Event, Never>
  private let bag = DisposableBag()

  init(
    _ name: String,
    _ first: State,
    _ handle: @escaping @Sendable (Event, State) -> Signal<State, Never>
  ) {
    let state = MutableProperty(first, name)
    self.state = state
    events = Subject("\(name) events")
    events.signal.concatMap { handle($0, state.value) }
      .bind(to: state)
      .store(in: bag)
  }

  func add(_ event: Event) { events.send(event) }
}

private struct Exercise: Sendable {
  var countdown = 3
  var tenths = 0
  var laps = 0
  var isOver = false

  func with(_ change: (inout Exercise) -> Void) -> Exercise {
    var copy = self
    change(&copy)
    return copy
  }
}

private enum Step: Sendable {
  case warmUp
  case start
  case tick
  case lap
  case finish
}

private final class Training: Sendable {
  private let bloc: Bloc<Step, Exercise>
  private let pulse = MutableProperty(60, "pulse")
  private let display = MutableProperty("", "display")
  private let watch = DisposableBag()
  private let bag = DisposableBag()
  private let version: Version

  init(_ version: Version) {
    self.version = version
    bloc = Bloc("exercise", Exercise()) { step, exercise in
      switch step {
      case .warmUp:
        return Signal.interval(.milliseconds(60), on: .main).take(3)
          .map { tick in exercise.with { $0.countdown = 2 - tick } }
      case .start where version == .fixed: return .just(exercise.with { $0.tenths = 0 })
      case .start:
        return Signal.interval(.milliseconds(100), on: .main)  // blame
          .map { tick in exercise.with { $0.tenths = tick + 1 } }
      case .tick: return .just(exercise.with { $0.tenths += 1 })
      case .lap: return .just(exercise.with { $0.laps += 1 })
      case .finish: return .just(exercise.with { $0.isOver = true })
      }
    }
    Signal.interval(.milliseconds(150), on: .background).map { 60 + $0 }
      .bind(to: pulse).store(in: bag)
    combineLatest(bloc.state.signal, pulse.signal) { "\($0.tenths), lap \($0.laps), pulse \($1)" }
      .deliver(on: .main).bind(to: display).store(in: bag)
  }

  var state: Exercise { bloc.state.value }

  func warmUp() { bloc.add(.warmUp) }

  func start() {
    bloc.add(.start)
    guard version == .fixed else { return }
    Signal.interval(.milliseconds(100), on: .main)
      .subscribe { [bloc] _ in bloc.add(.tick) }
      .store(in: watch)
  }

  func lap() { bloc.add(.lap) }

  func finish() {
    watch.empty()
    bloc.add(.finish)
  }
}

private struct Player: Sendable {
  var song = ""
  var skipped = 0
}

private enum Key: Sendable {
  case play(String)
  case skip
}

private final class Music: Sendable {
  private let bloc: Bloc<Key, Player>

  init() {
    bloc = Bloc("player", Player()) { key, player in
      switch key {
      case .play(let song):
        // Each tick stands for one volume step.
        return Signal.interval(.milliseconds(50), on: .main).take(2)
          .map { _ in Player(song: song, skipped: player.skipped) }
      case .skip:
        return Signal.timer(after: .milliseconds(40), on: .main)
          .map { Player(song: "after \(player.song)", skipped: player.skipped + 1) }
      }
    }
  }

  var skipped: Int { bloc.state.value.skipped }

  func play(_ song: String) { bloc.add(.play(song)) }

  func skip() { bloc.add(.skip) }
}
