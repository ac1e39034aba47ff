import Reactive

/// A list of downloads, each with a progress bar. Downloads have so many pieces that the bars are
/// not drawn for each piece.
///
/// Rebuilt from ReactiveCocoa/ReactiveSwift#287. Users throttled a value that grows, and the last
/// value, which contained everything, never arrived.
extension Real {
  static let downloads = Report("downloads", "last value lost") { version in
    let network = Network()
    let window = Window(network, version)
    for round in 0..<3 {
      network.load("book \(round)", pieces: 37)
      network.load("song \(round)", pieces: 15)
      window.filter.value = "r"
      window.filter.value = "round \(round)"
      await pause(1300)
    }
    await pause(400)
    print("bars at \(window.bars), totals at \(window.total.value)")
    return window
  }
}

private struct Progress: Sendable {
  let file: String
  let percent: Int
}

private final class Network: Sendable {
  /// The progress of each download.
  let progress = Subject<Progress, Never>("progress")
  let finished = Subject<String, Never>("finished")
  private let queue = QueueScheduler(label: "network")
  private let bag = DisposableBag()

  func load(_ file: String, pieces: Int) {
    Signal.interval(.milliseconds(25), on: queue)
      .take(pieces)
      .map { Progress(file: file, percent: ($0 + 1) * 100 / pieces) }
      .subscribe(
        next: { [progress] in progress.send($0) },
        completed: { [finished] in finished.send(file) }
      )
      .store(in: bag)
  }
}

private final class Window: Sendable {
  let filter = MutableProperty("", "filter")
  let total = MutableProperty(0, "total")
  private let books = MutableProperty(0, "books")
  private let songs = MutableProperty(0, "songs")
  private let bag = DisposableBag()

  var bars: String { "\(books.value) % and \(songs.value) %" }

  init(_ network: Network, _ version: Version) {
    // The books have a separate bar, drawn a few times a second.
    show(percents(of: "book", in: network), in: books) { percent in
      percent.throttle(.milliseconds(300), on: .main, latest: version == .fixed)  // blame
    }
    show(percents(of: "song", in: network), in: songs) { percent in
      percent.throttle(.milliseconds(100), on: .main)
    }
    show(network.finished.signal.scan(0) { count, _ in count + 1 }, in: total) { $0 }

    filter.signal
      .debounce(.milliseconds(200), on: .main)
      .distinctUntilChanged()
      .subscribe { _ in }
      .store(in: bag)
    for bar in [books, songs, total] {
      bar.signal.map { "\($0)" }.deliver(on: .main).subscribe { _ in }.store(in: bag)
    }
  }

  private func percents(of kind: String, in network: Network) -> Signal<Int, Never> {
    network.progress.signal.filter { $0.file.hasPrefix(kind) }.map(\.percent)
  }

  /// Shows numbers in a bar, at the rate that `paced` sets.
  private func show(
    _ numbers: Signal<Int, Never>,
    in bar: MutableProperty<Int>,
    _ paced: (Signal<Int, Never>) -> Signal<Int, Never>
  ) {
    paced(numbers).subscribe { [bar] in bar.value = $0 }.store(in: bag)
  }
}
