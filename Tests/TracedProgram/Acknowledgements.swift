internal import CReactiveTraceShims
internal import Glibc

/// The numbers of events that the threads of a program have recorded, in a page that is shared with
/// an observer, so that they survive the program as the trace does.
///
/// There is one row for each thread: the identifier of its subscription, and the number of its last
/// event whose record had been written before the number was stored.
///
/// `@unchecked Sendable`: rows are only accessed atomically.
struct Acknowledgements: @unchecked Sendable {
  let count: Int
  private let rows: UnsafeMutableRawPointer

  private static let rowBytes = 16

  /// Maps the file, and creates it first if `isNew` is true.
  init(path: String, count: Int, isNew: Bool) {
    self.count = count
    let flags = isNew ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR
    let descriptor = open(path, flags | O_CLOEXEC, 0o600)
    let size = count * Self.rowBytes
    guard descriptor >= 0, !isNew || ftruncate(descriptor, off_t(size)) == 0,
      let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      start != MAP_FAILED
    else { fail("'\(path)' cannot be mapped") }
    close(descriptor)
    rows = start
  }

  func unmap() { munmap(rows, count * Self.rowBytes) }

  private func sequence(_ row: Int) -> UnsafeMutablePointer<UInt64> {
    (rows + row * Self.rowBytes + 8).assumingMemoryBound(to: UInt64.self)
  }

  private func identifier(_ row: Int) -> UnsafeMutablePointer<UInt32> {
    (rows + row * Self.rowBytes).assumingMemoryBound(to: UInt32.self)
  }

  /// Stores the subscription whose events the row counts.
  func name(_ row: Int, _ subscription: UInt32) {
    rxt_store_release_u32(identifier(row), subscription)
  }

  /// Acknowledges that the events up to this number have been recorded.
  @inline(__always)
  func store(_ row: Int, _ number: UInt64) { rxt_store_release_u64(sequence(row), number) }

  /// The identifier and the last number of a row.
  func load(_ row: Int) -> (subscription: UInt32, number: UInt64) {
    (rxt_load_acquire_u32(identifier(row)), rxt_load_acquire_u64(sequence(row)))
  }

  /// The number of events that all threads together have acknowledged.
  var total: UInt64 { (0..<count).reduce(0) { $0 + load($1).number } }

  /// Whether every thread has acknowledged an event.
  var allHaveBegun: Bool { (0..<count).allSatisfy { load($0).number > 0 } }
}
