import Reactive
import ReactiveTrace

/// A podcast list with as many rows as fit on the screen, which show the next episodes when the
/// list is scrolled. A row can play and keep its episode, and shows its progress.
///
/// Rebuilt from ReactiveX/RxSwift#353. The subscriptions of a row were disposed of when the row was
/// reused: buttons worked for the first episodes, but had no effect on reused rows.
extension Real {
  static let podcasts = Report("podcasts", "buttons do nothing after scrolling") { version in
    let player = Player()
    let list = EpisodeList(player, version)
    for page in 0..<7 {
      list.scroll(to: page)
      await pause(160)
      for row in list.rows { row.play.send() }
      await pause(120)
      list.rows[page % list.rows.count].keep.send()
      await pause(160)
      Trace.mark("page")
    }
    await pause(200)
    let (played, kept) = (player.played.value, player.kept.value)
    print("play was pressed 28 times, \(played) episodes were played; 7 to be kept, \(kept) kept")
    return [player, list] as [Any]
  }
}

private final class Player: Sendable {
  let played = Counter()
  let kept = Counter()
  let playing = MutableProperty("", "playing")
  private let queue = QueueScheduler(label: "player")

  /// How far an episode has been heard, in percent.
  func progress(of episode: String) -> Signal<Int, Never> {
    Signal.interval(.milliseconds(90), on: queue).map { min(100, $0 * 7 + episode.count) }
  }

  func play(_ episode: String) {
    playing.value = episode
    played.add()
  }
}

@MainActor
private final class Row {
  let play: Subject<Void, Never>
  let keep: Subject<Void, Never>
  var title = ""
  /// The subscriptions that draw the episode; those of its buttons are in `buttons`.
  let drawing = DisposableBag()
  private(set) var buttons = CompositeDisposable()  // blame, too

  private let version: Version

  init(_ number: Int, _ version: Version) {
    self.version = version
    play = Subject("play \(number)")
    keep = Subject("keep \(number)")
  }

  func prepareForReuse() {
    title = ""
    drawing.empty()
    buttons.dispose()  // blame
    if version == .fixed { buttons = CompositeDisposable() }
  }
}

@MainActor
private final class EpisodeList {
  let rows: [Row]
  private let player: Player
  private let drawn = Counter()
  private let bag = DisposableBag()

  init(_ player: Player, _ version: Version) {
    self.player = player
    rows = (0..<4).map { Row($0, version) }
    player.playing.signal.skip(1).debounce(.milliseconds(50), on: .main)
      .subscribe { [drawn] _ in drawn.add() }
      .store(in: bag)
    Signal.interval(.milliseconds(300), on: .main)
      .subscribe { [drawn] _ in drawn.add() }
      .store(in: bag)
  }

  func scroll(to page: Int) {
    for (index, row) in rows.enumerated() {
      if !row.title.isEmpty { row.prepareForReuse() }
      fill(row, with: "episode \(page * rows.count + index)")
    }
  }

  private func fill(_ row: Row, with episode: String) {
    row.title = episode
    player.progress(of: episode).distinctUntilChanged().deliver(on: .main)
      .subscribe { [drawn] _ in drawn.add() }
      .store(in: row.drawing)
    player.playing.signal.map { $0 == episode }
      .subscribe { [drawn] _ in drawn.add() }
      .store(in: row.drawing)
    press(row.play, of: row) { [player] in player.play(episode) }
    press(row.keep, of: row) { [player] in player.kept.add() }
  }

  /// Does something at each press of a button, until the row gets another episode.
  private func press(
    _ button: Subject<Void, Never>,
    of row: Row,
    _ body: @escaping @Sendable () -> Void
  ) {
    button.signal.subscribe(next: body).store(in: row.buttons)
  }
}
