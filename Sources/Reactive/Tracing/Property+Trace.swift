public import ReactiveTrace

/// Detects that a thread sets a property to what it has made of an earlier value, although another
/// thread has set the property in between.
extension PropertyStorage {
  /// Notes that the program has read the value with this stamp.
  @inlinable @inline(__always)
  func noteRead(_ stamp: UInt64) {
    if current.hub.id != .none { Tracer.propertyRead(current.hub.id, stamp) }
  }

  /// Notes that the thread has set the property, or has given its value a new stamp.
  @inlinable @inline(__always)
  func noteChange() {
    let id = current.hub.id
    if id != .none { Tracer.propertyIsSet(id) }
  }

  /// Records that the program is about to replace a value that it has not seen, if that is so.
  @inlinable @inline(__always)
  func noteSet() {
    let id = current.hub.id
    if id != .none, Tracer.hasRead(id) { Tracer.propertyWillBeSet(id, current.value.stamp) }
  }
}
