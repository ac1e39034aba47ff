import Glibc
import ReactiveTrace

/// What can happen to a file or in a folder.
public struct FileEventKinds: OptionSet, Hashable, Sendable, CustomStringConvertible {
  /// The bits of the system.
  public let rawValue: UInt32

  /// The bits of the system.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Something was created in the folder, or moved into it.
  public static let created = FileEventKinds(rawValue: UInt32(IN_CREATE | IN_MOVED_TO))
  /// Something was deleted from the folder, or moved out of it.
  public static let removed = FileEventKinds(rawValue: UInt32(IN_DELETE | IN_MOVED_FROM))
  /// The contents have changed: comes with each write.
  public static let modified = FileEventKinds(rawValue: UInt32(IN_MODIFY))
  /// A file that was open for writing has been closed: comes once where ``modified`` comes often.
  public static let written = FileEventKinds(rawValue: UInt32(IN_CLOSE_WRITE))
  /// Owner, permissions, times or links have changed.
  public static let attributes = FileEventKinds(rawValue: UInt32(IN_ATTRIB))
  /// The file or folder itself was deleted.
  public static let selfDeleted = FileEventKinds(rawValue: UInt32(IN_DELETE_SELF))
  /// The file or folder itself was moved: it is watched on under its new name.
  public static let selfMoved = FileEventKinds(rawValue: UInt32(IN_MOVE_SELF))
  /// Events were lost, because too many came at once: always reported.
  public static let lost = FileEventKinds(rawValue: UInt32(IN_Q_OVERFLOW))

  /// Everything above.
  public static let all: FileEventKinds = [
    .created, .removed, .modified, .written, .attributes, .selfDeleted, .selfMoved, .lost,
  ]

  /// The names, as `[created, written]`.
  public var description: String {
    let names: [(String, FileEventKinds)] = [
      ("created", .created), ("removed", .removed), ("modified", .modified),
      ("written", .written), ("attributes", .attributes), ("selfDeleted", .selfDeleted),
      ("selfMoved", .selfMoved), ("lost", .lost),
    ]
    return "[\(names.filter { !isDisjoint(with: $0.1) }.map(\.0).joined(separator: ", "))]"
  }
}

/// Something that happened to a file or in a folder.
public struct FileEvent: Hashable, Sendable {
  /// What happened.
  public let kinds: FileEventKinds
  /// The name, where it is about something in the folder that is watched; empty where it is about that itself.
  public let name: String

  /// An event of one's own, for tests.
  public init(_ kinds: FileEventKinds, name: String = "") {
    self.kinds = kinds
    self.name = name
  }
}

extension Signal where Value == FileEvent, Failure == SystemFailure {
  /// A cold signal of what happens to a file, or in a folder, from the subscription on.
  ///
  /// ```swift
  /// Signal.fileEvents(at: "/etc/app.conf", .written).debounce(.milliseconds(100), on: .main)
  /// ```
  ///
  /// Dispatch has no such sources on Linux: this is `inotify`. It sees local changes only (not those that other
  /// machines make to a network file system), nothing below the folders in a folder, and a file that programs
  /// *replace*, as editors do, is another file: watch its folder. Where events are lost, one of the kind
  /// ``FileEventKinds/lost`` says so.
  ///
  /// - Parameters:
  ///   - path: What is watched; it must exist when somebody subscribes.
  ///   - kinds: What is of interest.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that completes when what is watched is no more. It sends on threads of the global queue.
  public static func fileEvents(
    at path: String,
    _ kinds: FileEventKinds = .all,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let site = Site("fileEvents", file, line, column, .endless)
    return reading(site, path, atMost: 65_536, FileEventPieces()) { () throws(SystemFailure) in
      let queue = inotify_init1(Int32(IN_CLOEXEC))
      guard queue >= 0 else { throw SystemFailure("watching", of: path, code: errno) }
      let descriptor = OwnedDescriptor(queue)
      guard inotify_add_watch(queue, path, kinds.rawValue) >= 0 else {
        throw SystemFailure("watching", of: path, code: errno)
      }
      return descriptor
    }
  }
}

/// The records of `inotify`.
private struct FileEventPieces: PieceParser {
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
          let kinds = FileEventKinds(rawValue: event.mask).intersection(.all)
          events.append(FileEvent(kinds, name: name))
        }
      }
    }
  }
}
