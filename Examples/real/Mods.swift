import Reactive
import ReactiveTrace

/// An optimizer for a card game: it builds the best set from a player's cards, looks for offers,
/// and saves sets. Each button is disabled while its work runs.
///
/// Rebuilt from SarlaccPitSurvivors/carkoon-issues#15. If no set could be built from the cards, a
/// message said so, but the build button stayed disabled until the page was reloaded.
extension Real {
  static let mods = Report("mods", "the button stays disabled") { version in
    let optimizer = Optimizer()
    let page = OptimizerPage(optimizer, version)
    for round in 1...7 {
      page.choose(cards: round == 3 ? 2 : 10 + round)
      page.build.click()
      await pause(260)
      page.save.click()
      if round.isMultiple(of: 2) { page.offers.click() }
      await pause(240)
      Trace.mark("cards \(round)")
    }
    print("mods: \(page.built.value) of 6 sets were built")
    return [optimizer, page] as [Any]
  }
}

private struct Refusal: Error {
  var reason = ""
}

/// The server: a set needs at least three cards, and offers exist for some numbers of cards only.
private final class Optimizer: Sendable {
  private let queue = QueueScheduler(label: "optimizer")

  func build(_ cards: Int) -> Signal<String, Refusal> {
    answer(150, cards < 3 ? nil : "set of \(cards)")
  }

  func offers(_ cards: Int) -> Signal<String, Refusal> {
    answer(90, cards.isMultiple(of: 4) ? nil : "\(cards) offers")
  }

  func save(_ set: String) -> Signal<String, Refusal> { answer(60, set.isEmpty ? nil : set) }

  private func answer(_ milliseconds: Int, _ text: String?) -> Signal<String, Refusal> {
    Signal.timer(after: .milliseconds(milliseconds), on: queue)
      .tryMap { _ throws(Refusal) in
        guard let text else { throw Refusal(reason: "It cannot be done.") }
        return text
      }
      .deliver(on: .main)
  }
}

/// A button that does its work when it is clicked while enabled.
private final class Button: Sendable {
  let isBusy: MutableProperty<Bool>
  private let isEnabled = MutableProperty(false, "enabled")
  private let work = Subject<Void, Never>("work")
  private let bag = DisposableBag()

  init(_ name: String, _ isAllowed: Signal<Bool, Never>) {
    isBusy = MutableProperty(false, "\(name) is busy")
    combineLatest(isBusy.signal, isAllowed) { !$0 && $1 }
      .distinctUntilChanged()
      .bind(to: isEnabled)
      .store(in: bag)
  }

  func onClick(_ body: @escaping @Sendable () -> Void) {
    work.signal.subscribe { body() }.store(in: bag)
  }

  func click() {
    if isEnabled.value { work.send() }
  }
}

private final class OptimizerPage: Sendable {
  let built = Counter()
  let saved = Counter()
  let build: Button
  let save: Button
  let offers: Button
  private let cards = MutableProperty(0, "cards")
  private let set = MutableProperty("", "set")
  private let message = MutableProperty("", "message")
  private let bag = DisposableBag()

  init(_ optimizer: Optimizer, _ version: Version) {
    build = Button("build", cards.signal.map { $0 > 0 })
    save = Button("save", set.signal.map { !$0.isEmpty })
    offers = Button("offers", cards.signal.map { $0 > 5 })
    build.onClick { [isBusy = build.isBusy, built, cards, set, message, bag] in
      isBusy.value = true
      message.value = "One moment …"
      optimizer.build(cards.value)
        .subscribe(  // blame
          next: {
            built.add()
            set.value = $0
          },
          failed: {  // blame, too
            message.value = $0.reason
            if version == .fixed { isBusy.value = false }
          },
          completed: {  // blame, too
            message.value = ""
            isBusy.value = false
          }
        )
        .store(in: bag)
    }
    save.onClick { [isBusy = save.isBusy, saved, set, message, bag] in
      isBusy.value = true
      optimizer.save(set.value)
        .finally { isBusy.value = false }
        .subscribe(next: { _ in saved.add() }, failed: { message.value = $0.reason })
        .store(in: bag)
    }
    offers.onClick { [isBusy = offers.isBusy, cards, message, bag] in
      isBusy.value = true
      optimizer.offers(cards.value)
        .subscribe(
          next: { message.value = $0 },
          failed: {
            message.value = $0.reason
            isBusy.value = false
          },
          completed: { isBusy.value = false }
        )
        .store(in: bag)
    }
    Signal.interval(.milliseconds(400), on: .main)
      .withLatest(from: message.signal)
      .map { "\($1) (\($0))" }
      .distinctUntilChanged()
      .subscribe()
      .store(in: bag)
  }

  func choose(cards count: Int) { cards.value = count }
}
