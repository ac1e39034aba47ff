/// A closure that waits to be run, for a queue or a lock.
///
/// Generic code wraps a bare closure in another one each time the closure is put into a container
/// or returned; in a struct it stays as it is.
@usableFromInline
struct Work: Sendable {
  @usableFromInline let run: @Sendable () -> Void

  @inlinable @inline(__always)
  init(_ run: __owned @escaping @Sendable () -> Void) { self.run = run }
}
