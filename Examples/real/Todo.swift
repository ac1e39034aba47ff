import Reactive

/// A to-do list: its page is always there, new items are entered in a form that is opened over it
/// and dismissed again, and a tap on an item shows its details.
///
/// Rebuilt from gyuwon/SwiftMvvmTodoList#12. The app used more memory each time something new had
/// been entered: the forms were never freed, although they had been dismissed.
extension Real {
  static let todo = Report("todo", "the memory grows") { version in
    let model = ApplicationModel()
    let navigator = Navigator(model, version)
    for round in 1...6 {
      navigator.openForm()
      for text in ["b", "bu", "buy \(round) loaves"] {
        navigator.form?.field.value = text
        await pause(30)
      }
      if round == 4 { navigator.form?.dismiss() } else { navigator.form?.submit.send() }
      await pause(120)
      navigator.openDetails(round % 3)
      await pause(150)
      navigator.closeDetails()
    }
    await pause(200)
    let pages = navigator.pages.value
    print("todo: \(navigator.forms.value) of 6 forms and \(pages) page are still there")
    return navigator
  }
}

private final class ApplicationModel: Sendable {
  let items = MutableProperty<[String]>([], "items")
  let newItem = NewItemModel()
  private let bag = DisposableBag()

  init() {
    newItem.entered.signal.subscribe { [items] text in items.modify { $0.append(text) } }
      .store(in: bag)
  }

  /// Looks up the attachment of an item, which takes a while.
  func attachments(of number: Int) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(60), on: .background).map { "attachment of \(number)" }
  }
}

/// The text being entered, which is kept as a draft for the next form.
private final class NewItemModel: Sendable {
  let text = MutableProperty("", "text")
  let entered = Subject<String, Never>("entered")

  var canSubmit: Signal<Bool, Never> {
    text.signal.map { $0.count > 2 }.distinctUntilChanged()
  }

  func submit() { entered.send(text.swap("")) }
}

@MainActor
private final class Navigator {
  /// How many forms and pages exist.
  let forms = Counter()
  let pages = Counter()
  private(set) var form: Form?
  private var details: DetailsPage?
  private let list: ListPage
  private let model: ApplicationModel
  private let version: Version
  private let bag = DisposableBag()

  init(_ model: ApplicationModel, _ version: Version) {
    self.model = model
    self.version = version
    list = ListPage(model, pages)
  }

  func openForm() {
    let form = Form(model.newItem, forms, version)
    form.isDismissed.signal.filter { $0 }.take(1).deliver(on: .main)
      .subscribe { [weak self] _ in MainActor.assumeIsolated { self?.form = nil } }
      .store(in: bag)
    self.form = form
  }

  func openDetails(_ number: Int) { details = DetailsPage(number, model, pages) }

  func closeDetails() { details = nil }
}

private final class Form: Sendable {
  let field = MutableProperty("", "field")
  let submit = Subject<Void, Never>("submit")
  let isDismissed = MutableProperty(false, "dismissed")
  private let button = MutableProperty(false, "button")
  private let placeholder = MutableProperty("", "placeholder")
  private let alive: Counter
  private let bag = DisposableBag()

  init(_ model: NewItemModel, _ alive: Counter, _ version: Version) {
    self.alive = alive
    alive.add()
    model.text.signal.subscribe { [weak self] in self?.placeholder.value = $0 }.store(in: bag)
    if version == .fixed {
      model.canSubmit.subscribe { [weak self] in self?.button.value = $0 }.store(in: bag)
    } else {
      model.canSubmit.subscribe { self.button.value = $0 }.store(in: bag)  // blame
    }
    field.signal.skip(1).subscribe { model.text.value = $0 }.store(in: bag)
    submit.signal
      .subscribe { [weak self] in
        model.submit()
        self?.dismiss()
      }
      .store(in: bag)
  }

  deinit { alive.add(-1) }

  func dismiss() { isDismissed.value = true }
}

/// The page that is always there.
private final class ListPage: Sendable {
  private let rows = MutableProperty<[String]>([], "rows")
  private let clock = MutableProperty("", "clock")
  private let bag = DisposableBag()

  init(_ model: ApplicationModel, _ alive: Counter) {
    alive.add()
    model.items.signal.subscribe { self.show($0) }.store(in: bag)
    Signal.interval(.milliseconds(200), on: .main).subscribe { self.clock.value = "\($0)" }
      .store(in: bag)
  }

  private func show(_ items: [String]) { rows.value = items.sorted() }
}

private final class DetailsPage: Sendable {
  private let body = MutableProperty("", "body")
  private let alive: Counter
  private let bag = DisposableBag()

  init(_ number: Int, _ model: ApplicationModel, _ alive: Counter) {
    self.alive = alive
    alive.add()
    model.attachments(of: number).subscribe { self.body.value = $0 }.store(in: bag)
    model.items.signal.map { $0.dropFirst(number).first ?? "" }
      .subscribe { [weak self] in self?.body.value = $0 }
      .store(in: bag)
  }

  deinit { alive.add(-1) }
}
