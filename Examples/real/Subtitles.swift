import Reactive
import Synchronization

/// A player with subtitles: each spoken line is translated, words are looked up, and chapter titles
/// are translated as well.
///
/// Rebuilt from microsoft/semantic-kernel#1849. Texts were sent to a service in order, by an
/// operator that forwards the answers as they come: users got them out of order.
extension Real {
  static let subtitles = Report("subtitles", "lines out of order") { version in
    let service = Service()
    let player = Player(service, version)
    for line in 1...24 {
      player.say(line)
      if line.isMultiple(of: 8) { player.chapters.send("chapter \(line / 8)") }
      await pause(100)
    }
    await pause(400)
    print(
      "subtitles: \(player.count("line")) of 24 lines, \(player.swapped("line")) came too early"
    )
    return [service, player] as [Any]
  }
}

/// Takes longer for a longer text.
private final class Service: Sendable {
  private let queue = QueueScheduler(label: "service")

  func translate(_ text: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(8 * text.count), on: queue).map { _ in text }
  }

  func lookUp(_ word: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(6 * word.count), on: queue).map { _ in word }
  }
}

private final class Player: Sendable {
  let chapters = Subject<String, Never>("chapters")
  private let spoken = Subject<Line, Never>("spoken")
  private let words = Subject<String, Never>("words")
  private let glossary = MutableProperty<Set<String>>([], "glossary")
  private let shown = Mutex<[String: [Int]]>([:])
  private let bag = DisposableBag()

  private struct Line: Sendable {
    var number: Int
    var text: String
  }

  init(_ service: Service, _ version: Version) {
    let translate = { @Sendable (line: Line) in
      service.translate(line.text).map { _ in line.number }
    }
    if version == .fixed {
      show("line", spoken.signal.concatMap(translate))
    } else {
      show("line", spoken.signal.flatMap(translate))  // blame
    }
    show("chapter", chapters.signal.concatMap { service.translate($0) }.map(\.count))
    show(
      "now",
      spoken.signal.flatMapLatest { service.translate(String($0.text.prefix(3))) }.map(\.count)
    )
    words.signal
      .flatMap { service.lookUp($0) }
      .subscribe { [glossary] word in glossary.modify { _ = $0.insert(word) } }
      .store(in: bag)
    show("glossary", glossary.signal.map(\.count))
  }

  func say(_ number: Int) {
    let text = number % 4 == 1 ? "a rather long answer, no." : "yes"
    spoken.send(Line(number: number, text: text))
    words.send("word \(number)")
    words.send("w\(number)")
  }

  func count(_ part: String) -> Int { shown.withLock { $0[part, default: []].count } }

  /// The number of values that came before one that they should follow.
  func swapped(_ part: String) -> Int {
    let numbers = shown.withLock { $0[part, default: []] }
    return zip(numbers, numbers.dropFirst()).count { $0 > $1 }
  }

  private func show(_ part: String, _ numbers: Signal<Int, Never>) {
    numbers.deliver(on: .main)
      .subscribe { [weak self] number in
        self?.shown.withLock { $0[part, default: []].append(number) }
      }
      .store(in: bag)
  }
}
