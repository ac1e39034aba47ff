internal import Dispatch
import Reactive
import Synchronization

/// A program that updates itself: a worker installs versions, the main thread announces the next.
///
/// Rebuilt from ReactiveX/RxSwift#393. Users set a version on a queue and the next one on the main
/// thread, and observed them on the main thread in the reverse order.
extension Real {
  static let updates = Report("updates", "the older version comes last") { version in
    let service = UpdateService(version)
    let window = UpdateWindow(service)
    for number in 1...20 {
      service.advance(to: number * 2)
      await pause(160)
    }
    let seen = window.seen.withLock { $0 }
    let backwards = zip(seen, seen.dropFirst()).count { $0 > $1 }
    print("\(seen.count) versions seen, \(backwards) times an older one after a newer one")
    return (service, window)
  }
}

/// Sends installed and announced versions.
private final class UpdateService: Sendable {
  private let worker = QueueScheduler(label: "worker")
  private let installed = Subject<Int, Never>("installed")
  private let announced = Subject<Int, Never>("announced")
  private let progress = Subject<Double, Never>("progress")
  private let version: Version

  init(_ version: Version) { self.version = version }

  /// The installed and announced versions, on the main queue.
  var versions: Signal<Int, Never> {
    if version == .fixed { return merge(installed.signal, announced.signal).deliver(on: .main) }
    return merge(onMain(installed.signal), announced.signal)  // blame
  }

  /// The worker's progress, on the main queue.
  var share: Signal<Double, Never> { onMain(progress.signal) }

  /// Installs a version, and announces the one after it.
  func advance(to number: Int) {
    worker.queue.sync {
      progress.send(0.5)
      installed.send(number)
      progress.send(1)
    }
    announced.send(number + 1)
  }

  /// Delivers the worker's values on the main queue.
  private func onMain<Value: Sendable>(_ signal: Signal<Value, Never>) -> Signal<Value, Never> {
    signal.deliver(on: .main)  // blame, too
  }
}

/// Shows the version.
private final class UpdateWindow: Sendable {
  let seen = Mutex<[Int]>([])
  private let title = MutableProperty("", "title")
  private let bar = MutableProperty(0.0, "bar")
  private let blink = MutableProperty(false, "blink")
  private let bag = DisposableBag()

  init(_ service: UpdateService) {
    let versions = service.versions.share()
    show(versions) { window, number in window.seen.withLock { $0.append(number) } }
    show(versions.map { "version \($0)" }) { window, text in window.title.value = text }
    show(service.share) { window, share in window.bar.value = share }
    show(Signal.interval(.milliseconds(300), on: .main)) { window, count in
      window.blink.value = count.isMultiple(of: 2)
    }
    show(title.signal.debounce(.milliseconds(50), on: .main)) { _, _ in }
  }

  /// Passes the values of a signal to the window.
  private func show<Value: Sendable>(
    _ signal: Signal<Value, Never>,
    _ body: @escaping @Sendable (UpdateWindow, Value) -> Void
  ) {
    signal.subscribe(with: self) { body($0, $1) }.store(in: bag)
  }
}
