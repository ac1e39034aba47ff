import Reactive
import ReactiveTrace
import Synchronization

/// A museum guide: visitors open one room after the other on a tablet; an open room follows the
/// museum's announcements, its number of visitors and the commands of the guide.
///
/// Rebuilt from ReactiveX/RxSwift#2658. A screen read the values of a signal in an endless loop in
/// a task, and unwrapped `self` before the loop: the screen was not released after it was left.
extension Real {
  static let museum = Report("museum", "rooms that were left go on") { version in
    let museum = Museum()
    for number in 1...12 {
      let room = Room(number, of: museum, version)
      await pause(100)
      museum.commands.send(number.isMultiple(of: 2) ? "lights" : "audio")
      await pause(80)
      museum.announcements.send("tour \(number) begins")
      await pause(120)
      room.leave()
      Trace.mark("left")
    }
    await pause(200)
    let (alive, obeyed) = (museum.population.value, museum.obeyed.value)
    print("12 rooms were left, \(alive) are in memory, 12 commands were obeyed \(obeyed) times")
    return museum
  }
}

private final class Museum: Sendable {
  let announcements = Subject<String, Never>("announcements")
  let commands = Subject<String, Never>("commands")
  let visitors = MutableProperty(0, "visitors")
  let population = MutableProperty(0, "rooms")
  let obeyed = Counter()
  private let queue = QueueScheduler(label: "museum")
  private let bag = DisposableBag()
  private let log: Task<Void, Never>

  init() {
    let lines = merge(announcements.signal, commands.signal)
    log = Task {
      var count = 0
      for await _ in lines.values(buffering: .newest(32)) { count += 1 }
    }
    Signal.interval(.milliseconds(180), on: queue)
      .subscribe { [visitors] in visitors.value = 40 + $0 * 3 % 17 }
      .store(in: bag)
  }

  deinit { log.cancel() }
}

private final class Room: Sendable {
  private let number: Int
  private let museum: Museum
  private let isLit = MutableProperty(false, "lit")
  private let texts = Mutex<[String]>([])
  private let tasks = Mutex<[Task<Void, Never>]>([])

  init(_ number: Int, of museum: Museum, _ version: Version) {
    self.number = number
    self.museum = museum
    museum.population.modify { $0 += 1 }

    let announced = museum.announcements.signal
    run { [weak self] in
      for await text in announced.values(buffering: .newest(8)) { self?.write(text) }
    }
    let crowd = museum.visitors.signal.distinctUntilChanged()
    run { [weak self] in
      for await count in crowd.values(buffering: .newest(1)) { self?.write("\(count) visitors") }
    }
    let commands = museum.commands.signal
    if version == .fixed {
      run { [weak self] in
        for await command in commands.values(buffering: .newest(8)) { self?.obey(command) }
      }
    } else {
      run { [weak self] in
        guard let self else { return }  // blame
        for await command in commands.values(buffering: .newest(8)) { obey(command) }  // blame, too
      }
    }
  }

  deinit {
    leave()
    museum.population.modify { $0 -= 1 }
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }

  /// Removes the texts of the room from the screen.
  func leave() { texts.withLock { $0 = [] } }

  private func obey(_ command: String) {
    museum.obeyed.add()
    if command == "lights" { isLit.modify { $0.toggle() } }
    write("\(command) in room \(number)")
  }

  private func write(_ text: String) { texts.withLock { $0.append(text) } }

  /// Runs a task that is cancelled when the room is released.
  private func run(_ body: @escaping @Sendable () async -> Void) {
    let task = Task { await body() }
    tasks.withLock { $0.append(task) }
  }
}
