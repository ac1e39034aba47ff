/// The functions of the workloads, kept in variables and chosen at run time, so that the compiler
/// must wrap each one, for a conversion, where it is passed to a generic function.
struct Functions: Sendable {
  let increment: @Sendable (Int) -> Int
  let isEven: @Sendable (Int) -> Bool
  let isOdd: @Sendable (Int) -> Bool
  let add: @Sendable (Int, Int) -> Int
  /// The sum of a pair of equal numbers, or 0 if they differ.
  let sumOfEqual: @Sendable (Int, Int) -> Int

  @inline(never)
  static func pick() -> Functions {
    if opaque(0) == 0 {
      return Functions(
        increment: { $0 &+ 1 },
        isEven: { $0 & 1 == 0 },
        isOdd: { $0 & 1 != 0 },
        add: { $0 &+ $1 },
        sumOfEqual: { $0 == $1 ? $0 &+ $1 : 0 }
      )
    }
    return Functions(
      increment: { $0 &* 3 },
      isEven: { $0 & 2 == 0 },
      isOdd: { $0 & 2 != 0 },
      add: { $0 &- $1 },
      sumOfEqual: { $0 &- $1 }
    )
  }
}

/// Adds up the values that arrive at the end of a chain; the sum is the checksum of a run.
///
/// `@unchecked Sendable`: only one thread at a time adds, and the sum is read when all values have
/// arrived.
final class Total: @unchecked Sendable {
  private let cell = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init() { cell.initialize(to: 0) }
  deinit { cell.deallocate() }

  var value: Int { cell.pointee }

  @inline(__always)
  func add(_ value: Int) { cell.pointee &+= value }
}
