import Reactive
import Synchronization

/// A door camera: pictures are scaled and searched for faces, then shown, archived and counted.
///
/// Rebuilt from ReactiveX/RxPY#512. Several observers and chains were attached to one chain, and
/// users were surprised that its work was done once for each of them.
extension Real {
  static let pictures = Report("pictures", "same work several times") { version in
    let camera = Camera()
    let door = Door(camera, version)
    await pause(4000)
    camera.stop()
    await pause(200)
    let taken = camera.taken
    print(
      "\(taken) pictures, searched for faces \(door.searches) times, scaled \(door.scalings) times"
    )
    return [camera, door] as [Any]
  }
}

private struct Picture: Sendable {
  let number: Int
  let pixels: [UInt8]
}

/// Sends twelve pictures a second.
private final class Camera: Sendable {
  let pictures = Subject<Picture, Never>("pictures")
  private let queue = QueueScheduler(label: "camera")
  private let count = Mutex(0)
  private let bag = DisposableBag()

  init() {
    Signal.interval(.milliseconds(80), on: queue).take(40).subscribe { [weak self] in self?.take($0)
    }
    .store(in: bag)
  }

  var taken: Int { count.withLock { $0 } }

  func stop() { pictures.complete() }

  private func take(_ number: Int) {
    count.withLock { $0 += 1 }
    pictures.send(Picture(number: number, pixels: (0..<200).map { UInt8(($0 * number) % 251) }))
  }
}

private final class Door: Sendable {
  private let searched = Mutex(0)
  private let scaled = Mutex(0)
  private let lines = Mutex<[String: String]>([:])
  private let queue = QueueScheduler(label: "door")
  private let bag = DisposableBag()

  var searches: Int { searched.withLock { $0 } }
  var scalings: Int { scaled.withLock { $0 } }

  init(_ camera: Camera, _ version: Version) {
    let small = camera.pictures.signal
      .map { [weak self] picture in self?.scale(picture) ?? picture }
      .share()
    let search = { @Sendable [weak self] (picture: Picture) in self?.search(picture) ?? 0 }
    let faces =
      version == .fixed
      ? small.map(search).share()
      : small.map(search)  // blame

    show("preview", small.map { "picture \($0.number)" })
    show("frame", faces.map { "\($0) faces" })
    show("archive", faces.collect(count: 10).map { "\($0.reduce(0, +)) faces in 10" })
    show("most", faces.scan(0) { most, count in max(most, count) }.map { "at most \($0)" })
    show(
      "bell",
      faces.filter { $0 > 3 }.throttle(.milliseconds(500), on: queue).map { _ in "ring" }
    )
    show("size", small.map { "\($0.pixels.count) pixels" }.distinctUntilChanged())
    show("time", Signal.interval(.milliseconds(300), on: queue).map { "time \($0)" })
  }

  private func scale(_ picture: Picture) -> Picture {
    scaled.withLock { $0 += 1 }
    return Picture(number: picture.number, pixels: picture.pixels.filter { $0.isMultiple(of: 2) })
  }

  private func search(_ picture: Picture) -> Int {
    searched.withLock { $0 += 1 }
    return picture.pixels.filter { $0 > 220 }.count % 6
  }

  private func show(_ part: String, _ texts: Signal<String, Never>) {
    texts.deliver(on: .main).subscribe { [weak self] text in
      self?.lines.withLock { $0[part] = text }
    }
    .store(in: bag)
  }
}
