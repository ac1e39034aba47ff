import Reactive
import ReactiveTrace
import Synchronization

/// A university's repository: to deposit a thesis, an author fills in sections. A section and its
/// form each have errors; when a section is loaded again, it gets a new form.
///
/// Rebuilt from DSpace/dspace-angular#3973. Results of an earlier state of a section were merged
/// with those of the current one: an empty list arrived after the errors, and they disappeared.
extension Real {
  static let deposit = Report("deposit", "errors disappear") { version in
    let store = Store()
    let page = SubmissionPage(store, version)
    for round in 1...8 {
      store.load("title", errors: round.isMultiple(of: 2) ? ["The title is missing."] : [])
      store.load("licence", errors: round.isMultiple(of: 4) ? [] : ["Grant the licence."])
      page.save("round \(round)")
      page.save("language \(round)")
      await pause(250)
      page.look(round)
      await pause(50)
    }
    print("deposit: an error of the title was seen in \(page.seen.value) of 4 rounds that had one")
    return [store, page] as [Any]
  }
}

private struct Section: Sendable {
  var form = 0
  var errors: [String] = []
}

/// The state of all sections and forms.
private final class Store: Sendable {
  private struct Forms {
    var last = 0
    var errors: [Int: MutableProperty<[String]>] = [:]
  }

  let title = MutableProperty(Section(), "title")
  let licence = MutableProperty(Section(), "licence")
  private let queue = QueueScheduler(label: "store")
  private let forms = Mutex(Forms())

  /// Makes a new form; the earlier one is emptied and removed a little later.
  func load(_ name: String, errors: [String]) {
    let section = name == "title" ? title : licence
    let earlier = section.value.form
    let form = forms.withLock {
      $0.last += 1
      $0.errors[$0.last] = MutableProperty(errors.map { "Field: \($0)" }, "form \($0.last)")
      return $0.last
    }
    section.value = Section(form: form, errors: errors)
    Signal.timer(after: .milliseconds(80), on: queue)
      .subscribe { [weak self] in self?.remove(earlier) }
  }

  func errors(ofForm number: Int) -> Signal<[String], Never> { form(number)?.signal ?? .just([]) }

  func patch(_ change: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(change.hasPrefix("round") ? 120 : 50), on: queue)
      .map { "\(change) is saved" }
  }

  private func remove(_ number: Int) {
    let form = forms.withLock { $0.errors.removeValue(forKey: number) }
    form?.value = []
  }

  private func form(_ number: Int) -> MutableProperty<[String]>? {
    forms.withLock { $0.errors[number] }
  }
}

private final class SubmissionPage: Sendable {
  let seen = Counter()
  private let titleErrors = MutableProperty<[String]>([], "title errors")
  private let licenceErrors = MutableProperty<[String]>([], "licence errors")
  private let state = MutableProperty("", "state")
  private let saved = MutableProperty("", "saved")
  private let changes = Subject<String, Never>("changes")
  private let bag = DisposableBag()

  init(_ store: Store, _ version: Version) {
    let titles =
      version == .fixed
      ? store.title.signal.flatMapLatest { allErrors(of: $0, in: store) }
      : store.title.signal.flatMap { allErrors(of: $0, in: store) }  // blame
    show(titles, at: titleErrors)
    show(store.licence.signal.flatMapLatest { allErrors(of: $0, in: store) }, at: licenceErrors)
    combineLatest(titleErrors.signal, licenceErrors.signal) { $0.isEmpty && $1.isEmpty }
      .distinctUntilChanged()
      .map { $0 ? "complete" : "incomplete" }
      .bind(to: state).store(in: bag)
    changes.signal.flatMap { store.patch($0) }
      .deliver(on: .main)
      .bind(to: saved).store(in: bag)
  }

  func save(_ change: String) { changes.send(change) }

  func look(_ round: Int) {
    if round.isMultiple(of: 2), !titleErrors.value.isEmpty { seen.add() }
  }

  private func show(_ errors: Signal<[String], Never>, at place: MutableProperty<[String]>) {
    errors.distinctUntilChanged().deliver(on: .main).bind(to: place).store(in: bag)
  }
}

/// The errors of the section itself and of its form.
private func allErrors(of section: Section, in store: Store) -> Signal<[String], Never> {
  store.errors(ofForm: section.form).map { section.errors + $0 }
}
