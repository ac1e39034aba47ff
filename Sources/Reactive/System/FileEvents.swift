import CReactiveTraceShims
import Glibc
import TraceFormat

/// What can happen to a file or in a folder.
public struct FileEventKinds: OptionSet, Hashable, Sendable, CustomStringConvertible {
  /// One bit for each kind, equal to the bit of `inotify`.
  public let rawValue: UInt32

  /// Creates a set from bits of `inotify`; events only contain the bits of the kinds below.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Something was created in the folder, or moved into it.
  ///
  /// The system has two bits for this; both are reported as `IN_CREATE`.
  public static let created = FileEventKinds(rawValue: UInt32(IN_CREATE))
  /// Something was deleted from the folder, or moved out of it.
  ///
  /// The system has two bits for this; both are reported as `IN_DELETE`.
  public static let removed = FileEventKinds(rawValue: UInt32(IN_DELETE))
  /// The contents have changed: sent for each write.
  public static let modified = FileEventKinds(rawValue: UInt32(IN_MODIFY))
  /// A file that was open for writing has been closed: sent once, where ``modified`` may be sent
  /// often.
  public static let written = FileEventKinds(rawValue: UInt32(IN_CLOSE_WRITE))
  /// Owner, permissions, times or links have changed.
  public static let attributes = FileEventKinds(rawValue: UInt32(IN_ATTRIB))
  /// The file or folder itself was deleted.
  public static let selfDeleted = FileEventKinds(rawValue: UInt32(IN_DELETE_SELF))
  /// The file or folder itself was moved: it is still watched under its new name.
  public static let selfMoved = FileEventKinds(rawValue: UInt32(IN_MOVE_SELF))
  /// Events were lost, because too many came at once; reported even if this kind was not requested.
  public static let lost = FileEventKinds(rawValue: UInt32(IN_Q_OVERFLOW))

  /// All kinds above.
  public static let all: FileEventKinds = [
    .created, .removed, .modified, .written, .attributes, .selfDeleted, .selfMoved, .lost,
  ]

  /// The kinds for which the system has a second bit.
  private static let moves: [(FileEventKinds, moved: UInt32)] = [
    (.created, UInt32(IN_MOVED_TO)), (.removed, UInt32(IN_MOVED_FROM)),
  ]

  /// The events that the system is to watch for.
  fileprivate var mask: UInt32 {
    Self.moves.reduce(rawValue) { contains($1.0) ? $0 | $1.moved : $0 }
  }

  /// The kinds for the events that the system reports.
  fileprivate init(reported mask: UInt32) {
    let bits = Self.moves.reduce(mask) { mask & $1.moved != 0 ? $0 | $1.0.rawValue : $0 }
    self = FileEventKinds(rawValue: bits).intersection(.all)
  }

  /// The names, such as `[created, written]`.
  public var description: String {
    let names: [(String, FileEventKinds)] = [
      ("created", .created), ("removed", .removed), ("modified", .modified),
      ("written", .written), ("attributes", .attributes), ("selfDeleted", .selfDeleted),
      ("selfMoved", .selfMoved), ("lost", .lost),
    ]
    return "[\(names.filter { contains($0.1) }.map(\.0).joined(separator: ", "))]"
  }
}

/// Something that happened to a file or in a folder.
public struct FileEvent: Hashable, Sendable {
  /// What happened.
  public let kinds: FileEventKinds
  /// The name of the entry in the watched folder; empty if the event is about the watched file or
  /// folder itself.
  public let name: String

  /// Creates an event, for tests.
  public init(_ kinds: FileEventKinds, name: String = "") {
    self.kinds = kinds
    self.name = name
  }
}

extension Signal where Value == FileEvent, Failure == SystemFailure {
  /// A cold signal of the changes to a file, or in a folder, from the subscription on.
  ///
  /// ```swift
  /// Signal.fileEvents(at: "/etc/app.conf", .written).debounce(.milliseconds(100), on: .main)
  /// ```
  ///
  /// Dispatch has no such sources on Linux, so this signal uses `inotify`. It reports only local
  /// changes (not changes that other machines make to a network file system), and nothing in
  /// subfolders. A file that programs *replace*, as editors do, becomes another file: watch its
  /// folder instead. If events are lost, one of the kind ``FileEventKinds/lost`` is sent.
  ///
  /// - Parameters:
  ///   - path: The file or folder to watch; it must exist when the signal is subscribed to.
  ///   - kinds: The kinds of changes to send.
  /// - Returns: A signal that completes when the watched file or folder no longer exists. It sends
  ///   on threads of the global queue.
  public static func fileEvents(
    at path: String,
    _ kinds: FileEventKinds = .all,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("fileEvents", file, line, column, .endless)
    return reading(site, path, atMost: 65_536, FileEventParser()) { () throws(SystemFailure) in
      let queue = rxt_above_standard(inotify_init1(Int32(IN_CLOEXEC)))
      guard queue >= 0 else { throw SystemFailure("watching", of: path, code: errno) }
      let descriptor = OwnedDescriptor(queue)
      guard inotify_add_watch(queue, path, kinds.mask) >= 0 else {
        throw SystemFailure("watching", of: path, code: errno)
      }
      return descriptor
    }
  }
}

/// Splits the bytes that are read from `inotify` into records.
private struct FileEventParser: StreamParser {
  private(set) var isOver = false

  mutating func parse(_ bytes: [UInt8], into events: inout [FileEvent]) {
    bytes.withUnsafeBytes { all in
      let head = MemoryLayout<inotify_event>.size
      var at = 0
      while at + head <= all.count {
        let event = all.loadUnaligned(fromByteOffset: at, as: inotify_event.self)
        let end = min(at + head + Int(event.len), all.count)
        let name = String(decoding: all[(at + head)..<end].prefix { $0 != 0 }, as: UTF8.self)
        at = end
        if event.mask & UInt32(IN_IGNORED) != 0 {
          isOver = true
        } else {
          events.append(FileEvent(FileEventKinds(reported: event.mask), name: name))
        }
      }
    }
  }
}
