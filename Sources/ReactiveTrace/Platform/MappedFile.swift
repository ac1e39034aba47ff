import CReactiveTraceShims
import Glibc

/// The trace file of this process, mapped for writing.
///
/// `@unchecked Sendable`: the pointer never changes, and stays mapped for as long as the process
/// lives.
struct MappedFile: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let plan: FilePlan
  let path: String
  /// A remark about the location of the file, to be stored in the trace; empty if there is none.
  let note: String
  /// The descriptor of the file if it is a stream, to which segments are appended; otherwise -1.
  let descriptor: Int32
  /// The identity of the file, because the path may later belong to another file.
  let identity: FileIdentity
  private let room: FileRoom
  /// The state of each region, by its number.
  private let states: UnsafeMutablePointer<MappedRegion.State>

  /// Gives the open, empty file its whole length, maps it, and closes the descriptor unless
  /// `isStreamed` is true.
  ///
  /// The file consists of holes except for its header: its pages are allocated when they are needed
  /// (``FileRoom``).
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
    // Beyond this limit, the kernel would send `SIGXFSZ`, which ends the program by default.
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur < size {
      throw TraceError(
        .system,
        "\(size) bytes are needed, but the limit for files (ulimit -f) is \(limit.rlim_cur); "
          + "raise it or ask for a smaller 'size'",
        path: path
      )
    }
    guard ftruncate(descriptor, off_t(size)) == 0,
      let identity = FileIdentity(of: descriptor)
    else { throw Self.noRoom(size, FileRoom.Failure(number: errno), path) }
    self.identity = identity
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory, memory != MAP_FAILED else {
      throw TraceError(
        .system,
        "cannot be mapped (\(String(cString: strerror(errno)))); "
          + "set RXTRACE_DIR to a directory on a local disk",
        path: path
      )
    }
    do throws(TraceError) {
      states = try PrivateMemory.allocate(
        MappedRegion.State.self,
        count: Layout.FileHeader.regionCount
      )
    } catch {
      munmap(memory, size)
      throw error
    }
    do throws(FileRoom.Failure) {
      room = try FileRoom(base: memory, size: size, descriptor: descriptor)
      // Allocates the beginning of each table here, where a failure can still be handled by
      // discarding the file.
      for kind in RegionKind.fixed where kind != .segments && kind != .markCounts {
        let row = plan.row(kind)
        let count = min(FileRoom.wholePages(row.size), FileRoom.pageSize)
        let failure = room.take(memory + row.offset, count)
        guard failure == 0 else { throw FileRoom.Failure(number: failure) }
        states[kind.rawValue].held = count
      }
    } catch {
      munmap(memory, size)
      throw Self.noRoom(size, error, path)
    }
    isKept = isStreamed
    self.descriptor = isStreamed ? descriptor : -1
    base = memory
    self.plan = plan
    self.path = path
    self.note = note
    writeRegionTable()
  }

  private static func noRoom(_ size: Int, _ failure: FileRoom.Failure, _ path: String) -> TraceError
  {
    TraceError(
      .system,
      "a file of up to \(size) bytes cannot be begun (\(failure.text)); "
        + "make room, set RXTRACE_DIR, or ask for a smaller 'size'",
      path: path
    )
  }

  /// Removes the file again, and unmaps it.
  func discard() {
    munmap(base, plan.byteCount)
    if descriptor >= 0 { close(descriptor) }
    unlink(path)
  }

  /// One region, with its row in the region table.
  func region(_ kind: RegionKind) -> MappedRegion {
    let row = plan.row(kind)
    return MappedRegion(
      kind: kind,
      row: tableRow(kind),
      base: base + row.offset,
      entrySize: row.entrySize,
      capacity: row.capacity,
      room: room,
      state: states + kind.rawValue
    )
  }

  /// Replaces the mapping with private pages, in a forked child, so that a late write reaches
  /// neither the parent's file nor an unmapped address.
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
