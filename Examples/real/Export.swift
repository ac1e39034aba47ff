import Reactive

/// An editor whose buttons make a file, a preview and a list of misspelled words, and several
/// places that show the results.
///
/// Rebuilt from ReactiveX/RxSwift#298. One press of the button made the file as many times as there
/// were places that showed its name.
extension Real {
  static let export = Report("export", "duplicates") { version in
    let workshop = Workshop()
    let editor = Editor(workshop, version)
    let panel = Panel(editor)
    for round in 0..<6 {
      editor.typing.send("line \(round)")
      await pause(120)
      editor.exportPresses.send()
      await pause(260)
      editor.previewPresses.send()
      await pause(180)
    }
    await pause(300)
    let made = workshop.made.value
    print("pressed 6 times, \(made) files were made, \(panel.lines.value) lines shown")
    return (editor, panel)
  }
}

/// Does work that takes time, one piece after the other.
private final class Workshop: Sendable {
  let made = Counter()
  let rendered = Counter()
  private let queue = QueueScheduler(label: "workshop")

  /// Begins work for each value, and cancels the previous one.
  func results<Value: Sendable>(
    of trigger: Signal<Value, Never>,
    _ work: @escaping @Sendable (Value) -> String
  ) -> Signal<String, Never> {
    trigger.flatMapLatest { [queue] value in
      Signal.timer(after: .milliseconds(60), on: queue).map { work(value) }
    }
  }
}

private final class Editor: Sendable {
  let typing = Subject<String, Never>("typing")
  let exportPresses = Subject<Void, Never>("export presses")
  let previewPresses = Subject<Void, Never>("preview presses")
  let files: Signal<String, Never>
  let previews: Signal<String, Never>
  let mistakes: Signal<String, Never>

  init(_ workshop: Workshop, _ version: Version) {
    let written = workshop.results(of: exportPresses.signal) { _ in
      workshop.made.add()
      return "document \(workshop.made.value)"
    }
    let named = written.map { "\($0).pdf" }  // blame
    files = version == .fixed ? named.share() : named

    previews = workshop.results(of: previewPresses.signal) { _ in
      workshop.rendered.add()
      return "preview \(workshop.rendered.value)"
    }
    .share()
    mistakes = workshop.results(of: typing.signal) { "no mistakes in \($0)" }
      .distinctUntilChanged()
  }
}

/// Shows everything the editor reports.
private final class Panel: Sendable {
  let lines = Counter()
  private let bag = DisposableBag()

  init(_ editor: Editor) {
    show("title", editor.files)
    show("recent files", editor.files)
    show("toast", editor.files)
    show("left", editor.previews)
    show("right", editor.previews)
    show("spelling", editor.mistakes)
    Signal.interval(.milliseconds(500), on: .background)
      .subscribe { [lines] _ in lines.add() }
      .store(in: bag)
  }

  private func show(_ place: String, _ text: Signal<String, Never>) {
    text.map { "\(place): \($0)" }
      .deliver(on: .main)
      .subscribe { [lines] _ in lines.add() }
      .store(in: bag)
  }
}
