import CReactiveTraceShims
import Glibc

/// The trace file of this process, mapped for writing.
///
/// `@unchecked Sendable`: the pointer never changes, and stays mapped as long as the process lives.
struct MappedFile: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let plan: FilePlan
  let path: String
  /// What the recorder has to say about the place.
  let note: String
  /// The open file where it is to be appended to, or -1.
  let descriptor: Int32

  /// Gives the open, empty file its whole size, maps it, and closes the descriptor unless it
  /// `isStreamed`.
  ///
  /// All of it is allocated at once: a mapping that has to grow on a full disk kills the program.
  init(
    descriptor: Int32,
    path: String,
    note: String,
    plan: FilePlan,
    isStreamed: Bool
  ) throws(TraceError) {
    var isKept = false
    defer { if !isKept { close(descriptor) } }
    let size = plan.byteCount
    // Beyond this limit the kernel would send a signal that ends the program.
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur < size {
      throw TraceError(
        .system,
        "\(size) bytes are needed, the limit for files (ulimit -f) is \(limit.rlim_cur); "
          + "raise it or ask for a smaller 'size'",
        path: path
      )
    }
    let failure = posix_fallocate(descriptor, 0, off_t(size))
    guard failure == 0 else {
      throw TraceError(
        .system,
        "\(size) bytes cannot be had (\(String(cString: strerror(failure)))); "
          + "make room, set RXTRACE_DIR, or ask for a smaller 'size'",
        path: path
      )
    }
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory, memory != MAP_FAILED else {
      throw TraceError(
        .system,
        "cannot be mapped (\(String(cString: strerror(errno)))); "
          + "set RXTRACE_DIR to a directory on a local disk",
        path: path
      )
    }
    isKept = isStreamed
    self.descriptor = isStreamed ? descriptor : -1
    base = memory
    self.plan = plan
    self.path = path
    self.note = note
    if !rxt_populate(memory, size) { touchPages() }
    writeRegionTable()
  }

  /// One region, with its row in the region table.
  func region(_ kind: RegionKind) -> MappedRegion {
    let row = plan.row(kind)
    return MappedRegion(
      row: tableRow(kind),
      base: base + row.offset,
      entrySize: row.entrySize,
      capacity: row.capacity
    )
  }

  /// Puts pages of nobody else's over the mapping, in a forked child: a write that comes too late
  /// reaches neither the parent's file nor an address without memory.
  static func replaceByPrivatePages(_ base: UnsafeMutableRawPointer, _ byteCount: Int) {
    mmap(
      base,
      byteCount,
      PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
      -1,
      0
    )
  }

  private func touchPages() {
    for offset in stride(from: 0, to: plan.byteCount, by: 4096) {
      (base + offset).storeBytes(of: 0, as: UInt8.self)
    }
  }

  private func tableRow(_ kind: RegionKind) -> UnsafeMutableRawPointer {
    base + Layout.FileHeader.regions + kind.rawValue * Layout.Region.byteCount
  }

  private func writeRegionTable() {
    for kind in RegionKind.fixed {
      let row = plan.row(kind)
      Layout.Region.offset.store(UInt64(row.offset), to: tableRow(kind))
      Layout.Region.size.store(UInt64(row.size), to: tableRow(kind))
      Layout.Region.entrySize.store(UInt32(row.entrySize), to: tableRow(kind))
      Layout.Region.capacity.store(UInt32(row.capacity), to: tableRow(kind))
    }
  }
}
