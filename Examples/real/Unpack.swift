import Dispatch
import Reactive
import Synchronization

/// A file manager: it draws the first page of the open archive, computes a sum and unpacks it, with
/// an engine that knows nothing of signals and reports progress to a callback.
///
/// Rebuilt from ReactiveX/RxSwift#667. Users made a signal of a function that unpacks, and wanted
/// the work to stop on disposal, but it continued to the end on its thread.
extension Real {
  static let unpack = Report("unpack", "work goes on unseen") { version in
    let engine = Engine()
    let window = Window(engine, version)
    for archive in ["letters", "music", "maps", "recipes", "taxes", "poems"] {
      window.open(archive)
      await pause(420)
    }
    await pause(900)
    let wasted = engine.count("unpack") - window.shown("unpack")
    print(
      "unpacked: \(engine.count("unpack")) pieces, \(wasted) of them for windows that were left"
    )
    return [engine, window] as [Any]
  }
}

/// An engine with callbacks, like those of system libraries.
private final class Engine: Sendable {
  /// One job of the engine.
  final class Job: Sendable {
    private let stopped = Mutex(false)

    var isStopped: Bool { stopped.withLock { $0 } }

    func stop() { stopped.withLock { $0 = true } }
  }

  private let queue = DispatchQueue(label: "engine")
  private let counts = Mutex<[String: Int]>([:])

  func count(_ kind: String) -> Int { counts.withLock { $0[kind, default: 0] } }

  /// Works on a number of pieces, and calls `progress` after each.
  func begin(
    _ kind: String,
    pieces: Int,
    progress: @escaping @Sendable (Int) -> Void
  ) -> Job {
    let job = Job()
    step(job, kind, 1, pieces, progress)
    return job
  }

  private func step(
    _ job: Job,
    _ kind: String,
    _ piece: Int,
    _ pieces: Int,
    _ progress: @escaping @Sendable (Int) -> Void
  ) {
    queue.asyncAfter(deadline: .now() + .milliseconds(40)) { [weak self] in
      guard let self, !job.isStopped else { return }
      counts.withLock { $0[kind, default: 0] += 1 }
      progress(piece)
      if piece < pieces { step(job, kind, piece + 1, pieces, progress) }
    }
  }
}

private final class Window: Sendable {
  private let engine: Engine
  private let opened = Subject<String, Never>("opened")
  private let title = MutableProperty("", "title")
  private let drawn = Mutex<[String: Int]>([:])
  private let bag = DisposableBag()

  init(_ engine: Engine, _ version: Version) {
    self.engine = engine
    let archives = opened.signal
    show("page", archives.flatMapLatest { _ in Self.page(engine) })
    show("sum", archives.flatMapLatest { _ in Self.sum(engine) })
    show("unpack", archives.flatMapLatest { _ in Self.unpacked(engine, version) })
    archives.bind(to: title).store(in: bag)
    title.signal.map(\.count).deliver(on: .main).subscribe().store(in: bag)
  }

  func open(_ archive: String) { opened.send(archive) }

  func shown(_ part: String) -> Int { drawn.withLock { $0[part, default: 0] } }

  private static func page(_ engine: Engine) -> Signal<Int, Never> {
    .create { observer in
      let job = engine.begin("page", pieces: 2) { piece in
        observer.send(piece)
        if piece == 2 { observer.complete() }
      }
      observer.onDispose { job.stop() }
    }
  }

  private static func sum(_ engine: Engine) -> Signal<Int, Never> {
    .create { observer in
      let job = engine.begin("sum", pieces: 16) { piece in
        observer.send(piece)
        if piece == 16 { observer.complete() }
      }
      observer.onDispose { job.stop() }
    }
  }

  private static func unpacked(_ engine: Engine, _ version: Version) -> Signal<Int, Never> {
    .create { observer in  // blame
      let job = engine.begin("unpack", pieces: 20) { piece in
        observer.send(piece)
        if piece == 20 { observer.complete() }
      }
      if version == .fixed { observer.onDispose { job.stop() } }
    }
  }

  private func show(_ part: String, _ pieces: Signal<Int, Never>) {
    pieces.subscribe { [weak self] _ in
      self?.drawn.withLock { $0[part, default: 0] += 1 }
    }
    .store(in: bag)
  }
}
