import Reactive
import Synchronization

/// The administration of surveys: questions are edited, published and copied, each with a button
/// that is disabled while its work runs.
///
/// Rebuilt from dhis2/maintenance-app#550. After some refactoring, the signal of a save no longer
/// completed, but the button waited for completion: users could not save a second time.
extension Real {
  static let surveys = Report("surveys", "saves once") { version in
    let editor = Editor(version)
    for round in 1...5 {
      editor.edit("Question \(round)?")
      await pause(150)
      editor.press(.save)
      await pause(350)
      if round.isMultiple(of: 2) { editor.press(.publish) }
      if round.isMultiple(of: 3) { editor.press(.copy) }
      await pause(150)
    }
    await pause(200)
    print("surveys: \(editor.saved) of 5 questions were saved")
    return editor
  }
}

private struct Question: Sendable {
  var text = ""
  var revision = 0
}

private enum Refusal: Error { case tooLong }

/// Holds the questions as the server has them; all views of a question observe it.
private final class Registry: Sendable {
  private let questions = Mutex<[Int: MutableProperty<Question>]>([:])

  func question(_ number: Int) -> MutableProperty<Question> {
    questions.withLock { questions in
      if let known = questions[number] { return known }
      let new = MutableProperty(Question(), "question \(number)")
      questions[number] = new
      return new
    }
  }
}

private final class Server: Sendable {
  private let queue = QueueScheduler(label: "server")
  private let counts = Mutex<[String: Int]>([:])

  func count(_ kind: String) -> Int { counts.withLock { $0[kind, default: 0] } }

  /// Answers with the revision.
  func post(_ kind: String, _ text: String) -> Signal<Int, Refusal> {
    Signal.timer(after: .milliseconds(100), on: queue).tryMap { [self] _ throws(Refusal) in
      guard text.count < 100 else { throw .tooLong }
      return counts.withLock {
        $0[kind, default: 0] += 1
        return $0[kind, default: 0]
      }
    }
  }
}

private enum Button { case save, publish, copy }

private final class Editor: Sendable {
  private let server: Server
  private let draft = MutableProperty("", "draft")
  private let preview = MutableProperty("", "preview")
  private let note = MutableProperty("", "note")
  private let save: Command<String, Question, Refusal>
  private let publish: Command<String, Int, Refusal>
  private let copy: Command<String, Question, Refusal>
  private let drawn = Counter()
  private let bag = DisposableBag()

  var saved: Int { server.count("save") }

  init(_ version: Version) {
    let server = Server()
    let registry = Registry()
    self.server = server
    let isFilled = draft.signal.map { !$0.isEmpty }
    save = Command(enabledIf: isFilled) { text in  // blame, too
      let question = server.post("save", text)
        .doNext { registry.question(1).value = Question(text: text, revision: $0) }
        .flatMap { _ in registry.question(1).signal }  // blame
      return version == .fixed ? question.take(1) : question
    }
    publish = Command(enabledIf: isFilled) { text in server.post("publish", text) }
    copy = Command { text in
      server.post("copy", text)
        .doNext { registry.question(2).value = Question(text: text, revision: $0) }
        .flatMap { _ in registry.question(2).signal.take(1) }
    }
    attach(save, "saved")
    attach(publish, "published")
    attach(copy, "copied")
    draft.signal
      .debounce(.milliseconds(60), on: .main)
      .combineLatest(with: registry.question(1).signal)
      .map { "\($0) (\($1.revision))" }
      .bind(to: preview)
      .store(in: bag)
    Signal.just(2)
      .flatMap { registry.question($0).signal }
      .subscribe { [drawn] _ in drawn.add() }
      .store(in: bag)
  }

  func edit(_ text: String) { draft.value = text }

  func press(_ button: Button) {
    switch button {
    case .save: run(save)
    case .publish: run(publish)
    case .copy: run(copy)
    }
  }

  /// Executes a command, unless its button is disabled.
  private func run<Output>(_ command: Command<String, Output, Refusal>) {
    if command.isEnabled.value { command.execute(draft.value) }
  }

  /// Shows the results and failures of a command beside its button.
  private func attach<Output>(_ command: Command<String, Output, Refusal>, _ word: String) {
    command.isEnabled.signal.subscribe { [drawn] _ in drawn.add() }.store(in: bag)
    command.executionSignals
      .flatMap { $0.map { _ in word } }
      .subscribe { [note] in note.value = $0 }
      .store(in: bag)
    command.errors.subscribe { [note] in note.value = "not \(word): \($0)" }.store(in: bag)
  }
}
