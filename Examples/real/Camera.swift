import Reactive
import ReactiveTrace

/// The settings of a camera: some switches can be turned on only if there is enough free disk
/// space; finding that out takes a while at first.
///
/// Rebuilt from ReactiveX/RxSwift#2594. Users turned a feature on soon after the start, and nothing
/// happened: no error, no value, until they turned it off and on again.
extension Real {
  static let camera = Report("camera", "values lost") { version in
    let disk = Disk()
    let camera = Camera(disk, version)
    camera.start()
    await pause(200)
    camera.recording.send(true)
    camera.flash.send(true)
    await pause(300)
    camera.burst.send(true)
    camera.grid.send(true)
    Trace.mark("settings")
    await pause(1500)
    camera.flash.send(false)
    camera.grid.send(false)
    await pause(400)
    camera.burst.send(false)
    Trace.mark("settings")
    await pause(800)
    print("applied \(camera.applied.value) of 7 changes, disk looked at \(disk.looks.value) times")
    return camera
  }
}

private final class Disk: Sendable {
  let looks = Counter()
  private let queue = QueueScheduler(label: "disk")

  /// The free megabytes, measured at an interval.
  var room: Signal<Int, Never> {
    Signal.interval(.milliseconds(900), on: queue)
      .map { [looks] round in
        looks.add()
        return 4000 - round * 10
      }
  }
}

private final class Camera: Sendable {
  let recording = Subject<Bool, Never>("recording")
  let flash = Subject<Bool, Never>("flash")
  let burst = Subject<Bool, Never>("burst")
  let grid = Subject<Bool, Never>("grid")
  let applied = Counter()
  private let version: Version
  private let room: Signal<Int, Never>
  private let battery = MutableProperty(100, "battery")
  private let bag = DisposableBag()

  init(_ disk: Disk, _ version: Version) {
    self.version = version
    room = disk.room.share(replay: 1)
  }

  func start() {
    // The label always shows the free space.
    room.map { "\($0) MB" }
      .deliver(on: .main)
      .subscribe { _ in }
      .store(in: bag)
    Signal.interval(.milliseconds(350), on: .background)
      .map { 100 - $0 }
      .bind(to: battery)

    let known = version == .fixed ? room.startWith(Int.max) : room
    let recordings = recording.signal.withLatest(from: known)  // blame
    apply(recordings.map { isOn, room in isOn && room > 500 })
    let flashes = flash.signal.withLatest(from: battery.signal)
    apply(flashes.map { isOn, battery in isOn && battery > 5 })
    let bursts = burst.signal.withLatest(from: room.startWith(0))
    apply(bursts.map { isOn, room in isOn && room > 100 })
    apply(grid.signal)
  }

  /// Sets a switch of the hardware.
  private func apply(_ isOn: Signal<Bool, Never>) {
    isOn.deliver(on: .main)
      .subscribe { [applied] _ in applied.add() }
      .store(in: bag)
  }
}
