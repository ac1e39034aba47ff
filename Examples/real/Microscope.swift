internal import Glibc
import Reactive
import Synchronization

/// A workbench for experiments: a camera looks through a microscope; windows show the picture, the
/// brightness and the temperature, while everything is recorded.
///
/// Rebuilt from bonsai-rx/bonsai#8. If a window drew more slowly than the camera took pictures, the
/// program used more and more memory, until none was left.
extension Real {
  static let microscope = Report("microscope", "more and more memory") { version in
    let camera = Camera()
    let bench = Workbench(camera, version)
    await pause(600)
    bench.openPicture()
    bench.openBrightness()
    await pause(900)
    bench.openTemperature()
    await pause(2000)
    let kept = Frame.alive.value
    print("microscope: \(kept > 80 ? "more than 80" : "at most 80") pictures are in memory")
    return [camera, bench]
  }
}

/// One picture.
private final class Frame: Sendable {
  static let alive = Counter()
  let number: Int
  let light: Int

  init(_ number: Int) {
    self.number = number
    light = 40 + number % 9
    Frame.alive.add()
  }

  deinit { Frame.alive.add(-1) }
}

private final class Camera: Sendable {
  let frames = Subject<Frame, Never>("frames")
  private let bag = DisposableBag()

  init() {
    let queue = QueueScheduler(label: "camera")
    Signal.interval(.milliseconds(10), on: queue)
      .subscribe { [frames] in frames.send(Frame($0)) }
      .store(in: bag)
  }
}

/// A window, which must be drawn on its own queue.
private struct Window: Sendable {
  let queue: QueueScheduler

  init(_ name: String) { queue = QueueScheduler(label: name) }

  /// Draws for the given number of milliseconds.
  func draw(_ milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }
}

private final class Workbench: Sendable {
  private let camera: Camera
  private let version: Version
  private let disk = QueueScheduler(label: "disk")
  private let recorded = Counter()
  private let warmth = MutableProperty(20, "temperature")
  private let bag = DisposableBag()

  init(_ camera: Camera, _ version: Version) {
    self.camera = camera
    self.version = version
    camera.frames.signal
      .deliver(on: disk)
      .subscribe { [recorded] _ in recorded.add() }
      .store(in: bag)
    Signal.interval(.milliseconds(100), on: .background)
      .map { 20 + $0 % 3 }
      .bind(to: warmth)
      .store(in: bag)
  }

  func openPicture() {
    let window = Window("picture")
    let frames = camera.frames.signal
    let pictures =
      version == .fixed
      ? frames.buffer(1, whenFull: .dropOldest, on: window.queue)
      : frames.deliver(on: window.queue)  // blame
    pictures.subscribe { _ in window.draw(60) }.store(in: bag)
  }

  func openBrightness() {
    let window = Window("brightness")
    camera.frames.signal
      .map(\.light)
      .throttle(.milliseconds(200), on: window.queue)
      .deliver(on: window.queue)
      .subscribe { _ in window.draw(20) }
      .store(in: bag)
    camera.frames.signal
      .collect(count: 25)
      .map { frames in frames.map(\.light).max() ?? 0 }
      .deliver(on: window.queue)
      .subscribe { _ in window.draw(15) }
      .store(in: bag)
  }

  func openTemperature() {
    let window = Window("temperature")
    warmth.signal
      .distinctUntilChanged()
      .deliver(on: window.queue)
      .subscribe { _ in window.draw(10) }
      .store(in: bag)
  }
}
