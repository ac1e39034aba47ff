/// A closure that waits to be run, as it is stored in a queue or behind a lock.
///
/// Generic code wraps a bare closure in another one each time the closure is put into a container
/// or returned; a closure in a struct is not wrapped again.
@usableFromInline
struct Work: Sendable {
  @usableFromInline let run: @Sendable () -> Void

  @inlinable @inline(__always)
  init(_ run: __owned @escaping @Sendable () -> Void) { self.run = run }
}
