import Reactive
import ReactiveTrace

/// The settings of a desktop computer: pages for displays, sound and power, which are opened and
/// left again, each with a model that listens to the service behind it.
///
/// Rebuilt from ubuntu-flutter-community/settings#412. The page of displays was notified of a
/// change of the screens even after it had been left; while it was open, it was notified once for
/// each time that it had ever been opened.
extension Real {
  static let displays = Report("displays", "one change is handled many times") { version in
    let computer = Computer()
    let window = Window(computer, version)
    for round in 1...5 {
      window.open(.displays)
      await pause(120)
      computer.plug("screen \(round)")
      await pause(80)
      window.open(.sound)
      computer.volume.value = 10 * round
      await pause(100)
      window.open(.power)
      await pause(100)
      Trace.mark("round \(round)")
    }
    window.open(.displays)
    await pause(150)
    let before = window.news.value
    computer.plug("projector")
    await pause(200)
    print("displays: the page handled one change \(window.news.value - before) times")
    return [computer, window] as [Any]
  }
}

/// The state of the services, which lasts while the computer runs.
private final class Computer: Sendable {
  let screens = Subject<[String], Never>("screens")
  /// The screens that the page of displays began with, and those chosen on it.
  let initial = MutableProperty<[String]>([], "initial")
  let current = MutableProperty<[String]>([], "current")
  let volume = MutableProperty(40, "volume")
  let charge = MutableProperty(100, "charge")
  private let plugged = MutableProperty(["built-in"], "plugged")
  private let journal = Counter()

  init() {
    Signal.interval(.milliseconds(70), on: .background).map { 100 - $0 % 60 }.bind(to: charge)
    screens.signal.subscribe { [journal] in journal.add($0.count) }
  }

  func plug(_ screen: String) {
    plugged.modify { $0.append(screen) }
    screens.send(plugged.value)
  }
}

extension Signal where Failure == Never {
  /// Calls `show` with each value on the main queue.
  @discardableResult
  fileprivate func draw(_ show: @escaping @Sendable (Value) -> Void) -> any Disposable {
    deliver(on: .main).subscribe(next: show)
  }
}

private enum Topic { case displays, sound, power }

@MainActor
private final class Window {
  /// How often the page of displays was notified of a change.
  let news = Counter()
  private let computer: Computer
  private let version: Version
  private var page: AnyObject?
  private let title = MutableProperty("", "title")

  init(_ computer: Computer, _ version: Version) {
    self.computer = computer
    self.version = version
    // The icon in the corner exists as long as the window.
    computer.charge.signal.map { $0 < 50 ? "half empty" : "full" }
      .distinctUntilChanged()
      .draw { [title] in title.value = $0 }
  }

  func open(_ topic: Topic) {
    switch topic {
    case .displays: page = DisplaysPage(computer, news, version)
    case .sound: page = SoundPage(computer)
    case .power: page = PowerPage(computer)
    }
  }
}

private final class DisplaysPage: Sendable {
  private let apply = MutableProperty(false, "apply button")
  private let bag = DisposableBag()

  init(_ computer: Computer, _ news: Counter, _ version: Version) {
    let initial = computer.initial
    let current = computer.current
    let changes = computer.screens.signal.draw { [initial, current] screens in  // blame
      news.add()
      initial.value = screens
      current.value = screens
    }
    if version == .fixed { changes.store(in: bag) }
    combineLatest(initial.signal, current.signal) { $0 != $1 }
      .draw { [apply] in apply.value = $0 }
      .store(in: bag)
  }
}

private final class SoundPage: Sendable {
  private let slider = MutableProperty(0, "slider")
  private let level = MutableProperty(0, "level")
  private let bag = DisposableBag()

  init(_ computer: Computer) {
    computer.volume.signal.draw { [slider] in slider.value = $0 }.store(in: bag)
    Signal.interval(.milliseconds(40), on: .background)
      .withLatest(from: computer.volume.signal)
      .draw { [level] in level.value = $0 * $1 % 100 }
      .store(in: bag)
  }
}

private final class PowerPage: Sendable {
  private let gauge = MutableProperty("", "gauge")
  private let bag = DisposableBag()

  init(_ computer: Computer) {
    computer.charge.signal.draw { [gauge] in gauge.value = "\($0) %" }.store(in: bag)
    computer.screens.signal.map { $0.count * 3 }
      .draw { [gauge] in gauge.value = "\($0) watts" }
      .store(in: bag)
  }
}
