import Glibc

/// Memory of the recorder that no reader sees.
///
/// Taken when recording begins, and never given back: the recorder allocates nothing afterwards, so
/// that it may run under any lock of the program.
enum PrivateMemory {
  /// Room for `count` zeroed values; the kernel provides the pages when they are first touched.
  static func allocate<Value: BitwiseCopyable>(
    _ type: Value.Type,
    count: Int
  ) throws(TraceError) -> UnsafeMutablePointer<Value> {
    let size = count * MemoryLayout<Value>.stride
    let memory = mmap(nil, max(size, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else {
      throw TraceError(.system, "\(size) bytes of memory cannot be had; ask for a smaller 'size'")
    }
    return memory.bindMemory(to: type, capacity: count)
  }
}
