import Reactive
import ReactiveTrace

/// A music player: the songs come from a database, with the number of times each was played.
///
/// Rebuilt from Kotlin/kotlinx.coroutines#2140. The list of songs that all screens share was
/// reported only if it differed from the previous one, and songs with the same `id` were equal:
/// the count of plays on the screen did not change any more.
extension Real {
  static let jukebox = Report("jukebox", "changes that are not told") { version in
    let database = Database()
    let library = Library(database, version)
    let player = Player(library, database)
    for round in 0..<8 {
      player.play(round % 3)
      await pause(150)
      if round == 3 { database.add("ballad") }
      if round.isMultiple(of: 2) { player.seek(to: round * 10) }
      await pause(120)
      Trace.mark("song \(round)")
    }
    await pause(100)
    print("jukebox: \(database.plays) songs were played, the list says \(player.shownPlays)")
    return [database, library, player] as [Any]
  }
}

private struct Song: Sendable, Equatable {
  let id: Int
  let name: String
  var plays = 0
  var position = 0

  static func == (one: Song, other: Song) -> Bool { one.id == other.id }  // blame, too
}

private final class Database: Sendable {
  private let queue = QueueScheduler(label: "database")
  private let table = MutableProperty(
    [Song(id: 0, name: "waltz"), Song(id: 1, name: "tango"), Song(id: 2, name: "polka")],
    "table"
  )

  var plays: Int { table.value.reduce(0) { $0 + $1.plays } }

  /// All rows at each change of the table.
  func rows() -> Signal<[Song], Never> { table.signal.deliver(on: queue) }

  func add(_ name: String) { table.modify { $0.append(Song(id: $0.count, name: name)) } }

  func update(_ id: Int, _ change: (inout Song) -> Void) { table.modify { change(&$0[id]) } }
}

/// The songs, shared by all screens so that they do not each query the database.
private final class Library: Sendable {
  let songs: Signal<[Song], Never>
  let names: Signal<[String], Never>
  private let requests = Counter()

  init(_ database: Database, _ version: Version) {
    let rows = database.rows().doNext { [requests] _ in requests.add() }.share(replay: 1)
    songs =
      version == .fixed
      ? rows.distinctUntilChanged { $0.elementsEqual($1) { $0 == $1 && $0.plays == $1.plays } }
      : rows.distinctUntilChanged()  // blame
    names = rows.map { $0.map(\.name) }.distinctUntilChanged()
  }

  func song(_ id: Int) -> Signal<Song, Never> {
    songs.compactMap { songs in songs.first { $0.id == id } }
  }
}

private final class Player: Sendable {
  private let library: Library
  private let database: Database
  private let current = MutableProperty(0, "current")
  private let list = MutableProperty<[Song]>([], "list")
  private let sleeve = MutableProperty("", "sleeve")
  private let index = MutableProperty("", "index")
  private let bag = DisposableBag()

  init(_ library: Library, _ database: Database) {
    self.library = library
    self.database = database
    library.songs.deliver(on: .main).bind(to: list).store(in: bag)
    library.names
      .map { $0.sorted().joined(separator: ", ") }
      .deliver(on: .main)
      .bind(to: index)
      .store(in: bag)
    // The picture on the sleeve need not be loaded again for the same song.
    current.signal
      .flatMapLatest { library.song($0) }
      .distinctUntilChanged()
      .flatMapLatest { song in
        Signal.timer(after: .milliseconds(30), on: .background).map { "sleeve of \(song.name)" }
      }
      .deliver(on: .main)
      .bind(to: sleeve)
      .store(in: bag)
    combineLatest(sleeve.signal, index.signal) { "\($0); \($1)" }
      .distinctUntilChanged()
      .subscribe()
      .store(in: bag)
  }

  /// The number of plays that the list shows.
  var shownPlays: Int { list.value.reduce(0) { $0 + $1.plays } }

  func play(_ id: Int) {
    current.value = id
    database.update(id) { $0.plays += 1 }
  }

  func seek(to second: Int) { database.update(current.value) { $0.position = second } }
}
