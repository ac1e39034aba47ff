import Glibc
import Testing

/// A sandbox that a process enters while it runs: a filter of system calls.
enum SystemCallFilter {
  private typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32

  /// The number of a system call.
  struct Call {
    let number: UInt32

    #if arch(x86_64)
    static let madvise = Call(number: 28)
    static let membarrier = Call(number: 324)
    #else
    static let madvise = Call(number: 233)
    static let membarrier = Call(number: 283)
    #endif
  }

  /// Makes a system call fail in the calling thread and in threads that it creates later, as it
  /// does in sandboxes that do not permit it.
  static func refuse(_ call: Call) throws {
    // The filter loads the number of the call, compares it, and returns one of two results.
    let program: [UInt64] = [
      instruction(0x20, 0), instruction(0x15, call.number, otherwise: 1),
      instruction(0x06, 0x0005_0000 | UInt32(EPERM)), instruction(0x06, 0x7FFF_0000),
    ]
    // Swift cannot call C functions with variable arguments.
    let control = unsafeBitCast(try #require(dlsym(nil, "prctl")), to: Control.self)
    let noNewPrivileges: Int32 = 38
    let setFilter: Int32 = 22
    try #require(control(noNewPrivileges, 1, 0, 0, 0) == 0)
    let status = program.withUnsafeBufferPointer { program in
      // The structure contains the number of instructions and a pointer to them.
      var filter = (UInt(program.count), UInt(bitPattern: program.baseAddress))
      return withUnsafePointer(to: &filter) { control(setFilter, 2, UInt(bitPattern: $0), 0, 0) }
    }
    try #require(status == 0, "no filter can be set here")
  }

  private static func instruction(_ code: UInt64, _ value: UInt32, otherwise: UInt64 = 0) -> UInt64
  {
    code | otherwise << 24 | UInt64(value) << 32
  }
}
