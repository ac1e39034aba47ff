import Reactive
import Synchronization

/// A reference manager: screens observe the state of their view models. There is a collection,
/// whose items are opened one after the other, and settings; an item fetches its attachment.
///
/// Rebuilt from zotero/zotero-ios#774. View models no longer reported their initial state, only
/// changes; an observer that still skipped the first value missed the first change.
extension Real {
  static let bibliography = Report("bibliography", "misses the first") { version in
    let storage = AttachmentStore()
    let attached = Counter()
    let settings = Settings()
    let collection = CollectionScreen(settings)
    for number in 1...6 {
      collection.model.update { $0.rows.append("item \(number)") }
      let item = ItemScreen(number, storage, attached, version)
      await pause(200)
      item.model.update { $0.title = "title \(number)" }
      await pause(80)
      item.model.update { $0.tags.append("read") }
      if number.isMultiple(of: 3) { settings.order.value = number }
      await pause(150)
      withExtendedLifetime(item) {}
    }
    print(
      "bibliography: attachments of 6 items were fetched,",
      attached.value,
      "shown; \(collection.drawn.value) rows and orders were drawn"
    )
    return [storage, settings, collection] as [Any]
  }
}

/// Has a state, and reports each change of it.
private final class ViewModel<State: Sendable>: Sendable {
  let changes: Subject<State, Never>
  private let state: Mutex<State>

  init(_ state: State, _ name: String) {
    self.state = Mutex(state)
    changes = Subject(name)
  }

  func update(_ change: @Sendable (inout State) -> Void) {
    let changed = state.withLock { state in
      change(&state)
      return state
    }
    changes.send(changed)
  }
}

private final class AttachmentStore: Sendable {
  private let queue = QueueScheduler(label: "attachments")

  func fetch(_ number: Int) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(60), on: queue)
      .map { "paper \(number).pdf" }
      .deliver(on: .main)
  }
}

private final class Settings: Sendable {
  let order = MutableProperty(0, "order")
  let font = MutableProperty("serif", "font")
}

private struct ItemState: Sendable {
  var title = "untitled"
  var tags: [String] = []
  var attachment: String?
}

private final class ItemScreen: Sendable {
  let model: ViewModel<ItemState>
  private let title = MutableProperty("", "item title")
  private let shown = Mutex(ItemState())
  private let bag = DisposableBag()

  init(_ number: Int, _ storage: AttachmentStore, _ attached: Counter, _ version: Version) {
    model = ViewModel(ItemState(), "item")
    let changes = model.changes.signal.deliver(on: .main)
    let drawable = version == .fixed ? changes : changes.skip(1)  // blame
    drawable
      .subscribe { [weak self] in self?.draw($0, attached) }
      .store(in: bag)
    changes.map(\.title).distinctUntilChanged().bind(to: title).store(in: bag)
    storage.fetch(number)
      .subscribe { [model] file in model.update { $0.attachment = file } }
      .store(in: bag)
  }

  /// Draws the state; counts an attachment that arrives as the first change.
  private func draw(_ state: ItemState, _ attached: Counter) {
    shown.withLock { $0 = state }
    if state.attachment != nil, state.tags.isEmpty, state.title == "untitled" { attached.add() }
  }
}

private struct CollectionState: Sendable { var rows: [String] = [] }

private final class CollectionScreen: Sendable {
  let model = ViewModel(CollectionState(), "collection")
  let drawn = Counter()
  private let badge = MutableProperty(0, "badge")
  private let bag = DisposableBag()

  init(_ settings: Settings) {
    model.changes.signal
      .deliver(on: .main)
      .subscribe { [drawn] _ in drawn.add() }
      .store(in: bag)
    model.changes.signal.map(\.rows.count).bind(to: badge).store(in: bag)
    // The rows are in order at the beginning, so the first value is skipped.
    settings.order.signal
      .skip(1)
      .subscribe { [drawn] _ in drawn.add() }
      .store(in: bag)
    combineLatest(settings.font.signal, badge.signal) { "\($1) rows in \($0)" }
      .skip(1)
      .throttle(.milliseconds(100), on: .main)
      .subscribe { _ in }
      .store(in: bag)
    Signal.interval(.milliseconds(250), on: .background).subscribe { _ in }.store(in: bag)
  }
}
