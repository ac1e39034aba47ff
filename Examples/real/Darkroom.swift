import Reactive
import Synchronization

/// A photo library: folders are imported, the data of each photo is read from the disk, thumbnails
/// are drawn and albums are looked up.
///
/// Rebuilt from cujojs/most#505. The data of all photos was read from their paths by flattening
/// without a limit: the server went down, but not when only a few were read at a time.
extension Real {
  static let darkroom = Report("darkroom", "photos cannot be read") { version in
    let disk = Disk()
    let library = Library(disk, version)
    for folder in 1...4 {
      library.open("folder \(folder)")
      await pause(250)
      library.albums.send("album \(folder)")
      library.covers.send("cover \(folder)")
      await pause(450)
    }
    await pause(300)
    let (read, failed) = (library.count("photo"), library.count("photo failed"))
    print("library: \(read) of 192 photos have a date, \(failed) could not be read")
    return [disk, library] as [Any]
  }
}

/// Reads files, but has no more than `limit` of them open.
private final class Disk: Sendable {
  private static let limit = 24
  private let queue = QueueScheduler(label: "disk")
  private let open = Mutex(0)

  func read(_ path: String, _ milliseconds: Int) -> Signal<String?, Never> {
    .create { [weak self] observer in
      guard let self, isFree() else {
        observer.send(nil)
        return observer.complete()
      }
      let work = queue.schedule(after: .milliseconds(milliseconds)) { [weak self] in
        self?.open.withLock { $0 -= 1 }
        observer.send("data of \(path)")
        observer.complete()
      }
      observer.disposables.add(work)
    }
  }

  private func isFree() -> Bool {
    open.withLock { open in
      guard open < Self.limit else { return false }
      open += 1
      return true
    }
  }
}

private final class Library: Sendable {
  let albums = Subject<String, Never>("albums")
  let covers = Subject<String, Never>("covers")
  private let photos = Subject<String, Never>("photos")
  private let folders = MutableProperty("", "folder")
  private let counts = Mutex<[String: Int]>([:])
  private let bag = DisposableBag()

  init(_ disk: Disk, _ version: Version) {
    let data =
      version == .fixed
      ? photos.signal.flatMap(limit: 8) { disk.read($0, 60) }
      : photos.signal.flatMap { disk.read($0, 60) }  // blame
    keep("photo", data)
    keep("thumbnail", photos.signal.flatMap(limit: 4) { disk.read("small \($0)", 20) })
    keep("album", albums.signal.flatMap { disk.read($0, 40) })
    keep("cover", covers.signal.concatMap { disk.read($0, 40) })
    folders.signal.skip(1)
      .flatMap { name in Signal<String, Never>.from((1...48).map { "\(name)/\($0)" }) }
      .subscribe(photos)
      .store(in: bag)
    Signal.interval(.milliseconds(300), on: .main)
      .flatMap { disk.read("clock \($0)", 10) }
      .subscribe()
      .store(in: bag)
  }

  func open(_ folder: String) { folders.value = folder }

  func count(_ kind: String) -> Int { counts.withLock { $0[kind, default: 0] } }

  private func keep(_ kind: String, _ data: Signal<String?, Never>) {
    data.map { $0 == nil ? "\(kind) failed" : kind }
      .subscribe { [weak self] kind in
        self?.counts.withLock { $0[kind, default: 0] += 1 }
      }
      .store(in: bag)
  }
}
