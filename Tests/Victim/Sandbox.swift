internal import Glibc

/// A filter of system calls that a process installs while it runs, like programs that give up
/// rights they no longer need.
enum Sandbox {
  private typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32

  #if arch(x86_64)
  /// membarrier, madvise, openat, open, ftruncate, rename, unlink.
  private static let refused: [UInt32] = [324, 28, 257, 2, 77, 82, 87]
  #else
  /// membarrier, madvise, openat, ftruncate, renameat, unlinkat.
  private static let refused: [UInt32] = [283, 233, 56, 46, 38, 35]
  #endif

  /// Makes the refused calls fail in the calling thread and in threads that it creates later.
  static func enter() {
    guard let symbol = dlsym(nil, "prctl") else { fatalError("there is no prctl") }
    // Swift cannot call C functions with variable arguments.
    let control = unsafeBitCast(symbol, to: Control.self)
    var program = [instruction(0x20, 0)]
    for (index, number) in refused.enumerated() {
      program.append(instruction(0x15, number, where: UInt64(refused.count - index)))
    }
    program.append(instruction(0x06, 0x7FFF_0000))
    program.append(instruction(0x06, 0x0005_0000 | UInt32(EPERM)))
    let status = program.withUnsafeBufferPointer { program in
      // The structure contains the number of instructions and a pointer to them.
      var filter = (UInt(program.count), UInt(bitPattern: program.baseAddress))
      return withUnsafePointer(to: &filter) { filter in
        control(38, 1, 0, 0, 0) == 0 ? control(22, 2, UInt(bitPattern: filter), 0, 0) : -1
      }
    }
    guard status == 0 else { fatalError("no filter can be set: \(errno)") }
  }

  /// Returns an instruction of the filter.
  ///
  /// If it is a comparison, it skips `skipped` instructions when both values are equal.
  private static func instruction(_ code: UInt64, _ value: UInt32, where skipped: UInt64 = 0)
    -> UInt64
  {
    code | skipped << 16 | UInt64(value) << 32
  }
}
