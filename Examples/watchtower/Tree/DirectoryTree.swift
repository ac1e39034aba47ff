import Dispatch
import Glibc
import Reactive
import Synchronization

/// A directory tree as a signal of its changes.
enum DirectoryTree {
  /// Sends a snapshot of the tree and then each change, until it is disposed of.
  ///
  /// Fails if the directory cannot be watched or disappears. Each subscription has its own watch,
  /// and sends on a separate queue.
  static func changes(in root: String) -> Signal<Change, TreeFailure> {
    .create { observer in
      do throws(TreeFailure) {
        let reader = try Reader(root)
        for change in try reader.begin() { observer.send(change) }
        // Dispatch sources are not marked Sendable, but may be used from any thread.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(
          fileDescriptor: reader.descriptor,
          queue: DispatchQueue(label: "watchtower.inotify")
        )
        source.setEventHandler {
          do throws(TreeFailure) {
            for change in try reader.read() { observer.send(change) }
          } catch {
            observer.fail(error)
          }
        }
        source.setCancelHandler { withExtendedLifetime(reader) {} }
        observer.onDispose { source.cancel() }
        source.activate()
      } catch {
        observer.fail(error)
      }
    }
  }
}

/// Reads from an inotify descriptor, and closes it when the reader is released.
private final class Reader: Sendable {
  let descriptor: Int32
  private let watches: Mutex<Watches>

  init(_ root: String) throws(TreeFailure) {
    let watches = try Watches(root: root)
    descriptor = watches.descriptor
    self.watches = Mutex(watches)
  }

  deinit { close(descriptor) }

  func begin() throws(TreeFailure) -> [Change] {
    try watches.withLock { watches throws(TreeFailure) in try watches.addAll() }
  }

  /// Returns the changes that can be read without waiting.
  func read() throws(TreeFailure) -> [Change] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { buffer.deallocate() }
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    guard count > 0 else { return [] }
    return try watches.withLock { watches throws(TreeFailure) in
      var changes: [Change] = []
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let start = offset + MemoryLayout<inotify_event>.size
        let name = buffer[start..<start + Int(event.len)].prefix { $0 != 0 }
        changes += try watches.changes(for: event, named: String(decoding: name, as: UTF8.self))
        offset = start + Int(event.len)
      }
      return changes
    }
  }
}
