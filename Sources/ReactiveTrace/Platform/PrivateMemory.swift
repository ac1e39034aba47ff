import Glibc
import TracePlatform

/// Memory of the recorder that is not in the file.
///
/// It is allocated when recording begins, and is freed only if recording cannot begin. The recorder
/// allocates nothing afterwards, so that it can run while the program holds any lock.
enum PrivateMemory {
  /// Room for `count` zeroed values; the kernel provides the pages when they are first touched.
  static func allocate<Value: BitwiseCopyable>(
    _ type: Value.Type,
    count: Int
  ) throws(TraceError) -> UnsafeMutablePointer<Value> {
    let size = max(count * MemoryLayout<Value>.stride, 1)
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else {
      throw TraceError(
        .system,
        "\(size) bytes of memory cannot be allocated; ask for a smaller 'size'"
      )
    }
    ledger.note(memory, size)
    return memory.bindMemory(to: type, capacity: count)
  }

  /// Runs `body`.
  ///
  /// If `body` throws, frees the memory that it has allocated on the calling thread.
  static func keepingIfDone<Result>(
    _ body: () throws(TraceError) -> Result
  ) throws(TraceError) -> Result {
    ledger.open()
    do throws(TraceError) {
      let result = try body()
      _ = ledger.close()
      return result
    } catch {
      for piece in ledger.close() { munmap(piece.start, piece.size) }
      throw error
    }
  }

  private static let ledger = Ledger()

  /// The allocations of a thread while they are tracked.
  ///
  /// `@unchecked Sendable`: its variables are only used with `lock` held.
  private final class Ledger: @unchecked Sendable {
    private let lock = Lock()
    private var keeper: pthread_t?
    private var pieces: [(start: UnsafeMutableRawPointer, size: Int)] = []

    func open() { lock.withLock { (keeper, pieces) = (pthread_self(), []) } }

    func note(_ start: UnsafeMutableRawPointer, _ size: Int) {
      lock.withLock { if keeper == pthread_self() { pieces.append((start, size)) } }
    }

    func close() -> [(start: UnsafeMutableRawPointer, size: Int)] {
      lock.withLock {
        defer { (keeper, pieces) = (nil, []) }
        return pieces
      }
    }
  }
}
