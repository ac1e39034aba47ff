import Reactive

/// A file list that shows the folder that the user has opened last. Each folder has a signal of its
/// changes.
///
/// Rebuilt from ReactiveCocoa/ReactiveSwift#356. Users saw the changes of the first collection;
/// when they opened another, it logged its changes, but none of them reached the list.
extension Real {
  static let folders = Report("folders", "stalled behind an endless inner signal") { version in
    let disk = Disk(["inbox", "letters", "photos", "bills"])
    let list = FileList(disk, version)
    for (round, folder) in disk.folders.enumerated() {
      list.opened.value = folder
      for change in 0..<3 {
        await pause(150)
        folder.change("file \(round)-\(change)")
      }
      list.searches.send("letter \(round)")
      await pause(200)
    }
    await pause(300)
    print("opened 4 folders, \(list.shown.value) of 12 changes shown, \(list.found.value) found")
    return list
  }
}

private final class Folder: Sendable {
  let name: String
  /// Sends the name of each file that is new or has changed.
  let updates: Signal<String, Never>
  private let changes: Subject<String, Never>

  init(_ name: String) {
    self.name = name
    changes = Subject(name)
    updates = changes.signal
  }

  func change(_ file: String) { changes.send("\(name)/\(file)") }
}

private final class Disk: Sendable {
  let folders: [Folder]
  private let queue = QueueScheduler(label: "disk")

  init(_ names: [String]) { folders = names.map(Folder.init) }

  /// Searches all folders, one after the other.
  func search(_ text: String) -> Signal<String, Never> {
    Signal.from(folders.map(\.name))
      .concatMap { [queue] name in
        Signal.timer(after: .milliseconds(20), on: queue).map(to: "\(text) in \(name)")
      }
  }
}

private final class FileList: Sendable {
  let opened = MutableProperty<Folder?>(nil, "opened")
  let searches = Subject<String, Never>("searches")
  let shown = Counter()
  let found = Counter()
  private let title = MutableProperty("", "title")
  private let bag = DisposableBag()

  init(_ disk: Disk, _ version: Version) {
    let folder = opened.signal.compactMap { $0 }
    let updates =
      version == .fixed
      ? folder.flatMapLatest { $0.updates }
      : folder.concatMap { $0.updates }  // blame
    show(updates) { [shown] _ in shown.add() }

    show(searches.signal.concatMap { text in disk.search(text) }) { [found] _ in found.add() }
    show(folder.map(\.name)) { [title] name in title.value = name }
    show(title.signal) { _ in }
    for folder in disk.folders {
      show(folder.updates.scan(0) { count, _ in count + 1 }) { _ in }
    }
  }

  /// Draws each value on the main queue.
  private func show<Value: Sendable>(
    _ signal: Signal<Value, Never>,
    _ draw: @escaping @Sendable (Value) -> Void
  ) {
    signal.deliver(on: .main).subscribe(next: draw).store(in: bag)
  }
}
