/// The listeners of a hub in the order in which they subscribed, with holes where some have ended.
///
/// The list allocates memory itself instead of using an array, so that a delivery iterates over it
/// without retaining anything. The list is only used inside the gate of the hub, which lets one
/// thread at a time deliver events, and does not change during a delivery. It retains each listener
/// once. The hub frees the list, because a `deinit` here crashes the optimiser of Swift 6.3.1.
@usableFromInline
struct ListenerList {
  /// Nil until the first listener comes.
  @usableFromInline var slots: UnsafeMutablePointer<Unmanaged<Listener>?>?
  @usableFromInline var count = 0
  private var capacity = 0
  private(set) var holes = 0

  @usableFromInline
  init() {}

  /// Releases all listeners, and the memory.
  ///
  /// To be called when the hub is released.
  func free() {
    guard let slots else { return }
    for index in 0..<count { slots[index]?.release() }
    slots.deallocate()
  }

  /// Adds a listener at the end, and sets its index; the list takes over its retain.
  mutating func append(_ one: Unmanaged<Listener>) {
    let slots = reserveSlot()
    one._withUnsafeGuaranteedRef { $0.index = Int32(count) }
    slots[count] = one
    count += 1
  }

  /// Removes a listener; does nothing if it is not in the list.
  mutating func remove(_ one: Listener) {
    let index = Int(one.index)
    guard let slots, index >= 0, let held = slots[index] else { return }
    one.index = -1
    slots[index] = nil
    if index == count - 1 { count -= 1 } else { holes += 1 }
    // Released last: this may free the listener, and the subscriber with it.
    held.release()
  }

  /// Removes all listeners for which `isGone` is true, and closes the holes.
  mutating func sweep(_ isGone: (Listener) -> Bool) {
    guard let slots else { return }
    var kept = 0
    var gone: [Unmanaged<Listener>] = []
    for index in 0..<count {
      guard let one = slots[index] else { continue }
      let goes = one._withUnsafeGuaranteedRef { listener in
        let goes = isGone(listener)
        listener.index = goes ? -1 : Int32(kept)
        return goes
      }
      if goes {
        gone.append(one)
      } else {
        slots[kept] = one
        kept += 1
      }
    }
    count = kept
    holes = 0
    for one in gone { one.release() }
  }

  /// Removes and returns all listeners.
  mutating func takeAll() -> [Listener] {
    guard let slots else { return [] }
    let all = (0..<count).compactMap { slots[$0]?.takeRetainedValue() }
    for one in all { one.index = -1 }
    count = 0
    holes = 0
    return all
  }

  /// Returns the slots, with room for one more listener.
  private mutating func reserveSlot() -> UnsafeMutablePointer<Unmanaged<Listener>?> {
    if let slots, count < capacity { return slots }
    capacity = max(4, capacity * 2)
    let larger = UnsafeMutablePointer<Unmanaged<Listener>?>.allocate(capacity: capacity)
    if let slots {
      larger.moveInitialize(from: slots, count: count)
      slots.deallocate()
    }
    slots = larger
    return larger
  }
}
