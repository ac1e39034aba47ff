import Reactive
import ReactiveTrace

/// A settings page with a list of ringtones, whose few cells are reused as the user scrolls. A cell
/// has a button that plays the tone, one that marks it as a favourite, and a volume slider.
///
/// Rebuilt from RxSwiftCommunity/RxGesture#49. Users touched a cell once, and the sound was played
/// two or three times.
extension Real {
  static let ringtones = Report("ringtones", "plays several times") { version in
    let page = TonePage(version)
    for round in 0..<7 {
      page.scroll(to: round * 2)
      await pause(120)
      page.play(slot: round % 3)
      await pause(120)
      if round.isMultiple(of: 2) { page.star(slot: 1) }
      page.drag(slot: 2, to: round + 1)
      await pause(180)
      Trace.mark("scrolled \(round)")
    }
    print(
      "ringtones: 7 touches played \(page.player.started.value) sounds, 4 starred \(page.starred)"
    )
    return page
  }
}

/// Plays sounds on a separate queue.
private final class Player: Sendable {
  let started = Counter()
  let finished = Counter()
  private let loudness = MutableProperty(0, "loudness")
  private let queue = QueueScheduler(label: "audio")
  private let bag = DisposableBag()

  func play(_ tone: String) {
    started.add()
    Signal.timer(after: .milliseconds(60 + tone.count), on: queue)
      .subscribe { [finished] in finished.add() }
      .store(in: bag)
  }

  func preview(_ tone: String, at volume: Int) { loudness.value = tone.count + volume }
}

private final class ToneCell: Sendable {
  let name = MutableProperty("", "name")
  let playButton = Subject<Void, Never>("play button")
  let starButton = Subject<Void, Never>("star button")
  let slider = MutableProperty(0, "slider")
  /// Subscriptions that last until the cell shows another tone.
  let reuseBag = DisposableBag()

  func prepareForReuse() { reuseBag.empty() }
}

private final class TonePage: Sendable {
  let player = Player()
  private let version: Version
  private let tones = (0..<24).map { "tone \($0)" }
  private let cells = (0..<4).map { _ in ToneCell() }
  private let favourites = MutableProperty<[String]>([], "favourites")
  private let title = MutableProperty("", "title")
  private let clock = MutableProperty("", "clock")
  private let bag = DisposableBag()

  var starred: Int { favourites.value.count }

  init(_ version: Version) {
    self.version = version
    favourites.signal.map { "Ringtones (\($0.count) starred)" }
      .bind(to: title)
      .store(in: bag)
    Signal.interval(.milliseconds(200), on: .main).map { "0:0\($0 % 10)" }
      .bind(to: clock)
      .store(in: bag)
    for cell in cells {
      combineLatest(cell.name.signal, clock.signal) { "\($0), \($1)" }
        .subscribe { _ in }
        .store(in: bag)
    }
  }

  func scroll(to first: Int) {
    for (slot, cell) in cells.enumerated() {
      cell.prepareForReuse()
      configure(cell, with: tones[first + slot])
    }
  }

  func play(slot: Int) { cells[slot].playButton.send() }

  func star(slot: Int) { cells[slot].starButton.send() }

  func drag(slot: Int, to volume: Int) { cells[slot].slider.value = volume }

  private func configure(_ cell: ToneCell, with tone: String) {
    cell.name.value = tone
    onTap(cell.playButton, in: version == .fixed ? cell.reuseBag : bag) { [player] in  // blame
      player.play(tone)
    }
    onTap(cell.starButton, in: cell.reuseBag) { [favourites] in
      favourites.modify { $0.append(tone) }
    }
    cell.slider.signal
      .skip(1)
      .debounce(.milliseconds(50), on: .main)
      .subscribe { [player] in player.preview(tone, at: $0) }
      .store(in: cell.reuseBag)
  }

  /// Does something at each tap, until the bag is emptied.
  private func onTap(
    _ button: Subject<Void, Never>,
    in bag: DisposableBag,
    _ action: @escaping @Sendable () -> Void
  ) {
    button.signal.deliver(on: .main).subscribe(next: action).store(in: bag)
  }
}
