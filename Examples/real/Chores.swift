import Reactive
import Synchronization

/// A list of chores: each line has its own model, which draws its icon and saves its text.
///
/// Rebuilt from peterfriese/MakeItSo#10. When the list was rebuilt, the models of the earlier lines
/// were expected to be released; none of them was ever deallocated.
extension Real {
  static let chores = Report("chores", "models that stay") { version in
    let repository = Repository()
    let lines = Counter()
    let list = ChoreList(repository, lines, version)
    for round in 1...5 {
      repository.add("chore \(round)")
      await pause(120)
      list.type(" today", intoLine: 0)
      await pause(120)
      list.tick(line: round - 1)
      await pause(250)
    }
    await pause(300)
    print("chores: \(list.count) lines are shown, \(lines.value) models are alive")
    return [repository, list] as [Any]
  }
}

private struct Chore: Sendable, Equatable {
  let id: Int
  var title: String
  var isDone = false
}

/// Stores chores, and the changes that lines save.
private final class Repository: Sendable {
  let chores = MutableProperty<[Chore]>([], "chores")
  let saved = Counter()
  private let syncs = Counter()
  private let bag = DisposableBag()

  init() {
    chores.signal
      .skip(1)
      .throttle(.milliseconds(200), on: .background)
      .subscribe { [syncs] _ in syncs.add() }
      .store(in: bag)
  }

  func add(_ title: String) {
    chores.modify { $0.append(Chore(id: $0.count, title: title)) }
  }

  func save(_ chore: Chore) {
    saved.add()
    chores.modify { all in
      guard let index = all.firstIndex(where: { $0.id == chore.id }) else { return }
      all[index] = chore
    }
  }
}

/// The model of one line.
private final class ChoreLine: Sendable {
  let chore: MutableProperty<Chore>
  private let icon = MutableProperty("", "icon")
  private let hint = MutableProperty("", "hint")
  private let repository: Repository
  private let lines: Counter
  private let bag = DisposableBag()

  init(_ chore: Chore, _ repository: Repository, _ lines: Counter, _ version: Version) {
    self.chore = MutableProperty(chore, "chore")
    self.repository = repository
    self.lines = lines
    lines.add()
    let edited = self.chore.signal.skip(1).debounce(.milliseconds(40), on: .main)
    if version == .fixed {
      edited.subscribe { [weak self] in self?.save($0) }.store(in: bag)
    } else {
      edited.subscribe { [self] in save($0) }.store(in: bag)  // blame
    }
    self.chore.signal.map { $0.isDone ? "checkmark" : "circle" }.bind(to: icon).store(in: bag)
    combineLatest(self.chore.signal.map(\.title), repository.chores.signal.map(\.count)) {
      "\($0), one of \($1)"
    }
    .subscribe { [hint] in hint.value = $0 }
    .store(in: bag)
    // The hint disappears soon after the line is shown.
    Signal.timer(after: .milliseconds(40), on: .main)
      .subscribe { [self] in hint.value = "" }
      .store(in: bag)
  }

  deinit { lines.add(-1) }

  private func save(_ chore: Chore) { repository.save(chore) }
}

/// The model of the list, which rebuilds its lines when chores come or go.
private final class ChoreList: Sendable {
  private let lines = Mutex<[ChoreLine]>([])
  private let title = MutableProperty("", "title")
  private let bag = DisposableBag()

  init(_ repository: Repository, _ alive: Counter, _ version: Version) {
    repository.chores.signal
      .distinctUntilChanged { $0.map(\.id) == $1.map(\.id) }
      .deliver(on: .main)
      .subscribe { [weak self] chores in
        let made = chores.map { ChoreLine($0, repository, alive, version) }
        self?.lines.withLock { $0 = made }
      }
      .store(in: bag)
    repository.chores.signal
      .map { chores in "\(chores.count { !$0.isDone }) left" }
      .distinctUntilChanged()
      .bind(to: title)
      .store(in: bag)
    Signal.interval(.milliseconds(350), on: .main)
      .withLatest(from: title.signal)
      .subscribe()
      .store(in: bag)
  }

  var count: Int { lines.withLock(\.count) }

  func type(_ text: String, intoLine index: Int) {
    line(index)?.chore.modify { $0.title += text }
  }

  func tick(line index: Int) { line(index)?.chore.modify { $0.isDone.toggle() } }

  private func line(_ index: Int) -> ChoreLine? {
    lines.withLock { $0.indices.contains(index) ? $0[index] : nil }
  }
}
