/// The listeners of a hub in the order they came, with holes where some have gone.
///
/// Memory of its own instead of an array: a delivery goes over it without retaining anything. It belongs to
/// whoever is inside the gate of the hub, and does not change during a delivery. Each listener in it is
/// retained once. The hub frees it: a `deinit` here crashes the optimiser of Swift 6.3.1.
@usableFromInline
struct ListenerList {
  /// Nil until the first comes.
  @usableFromInline var slots: UnsafeMutablePointer<Unmanaged<Listener>?>?
  @usableFromInline var count = 0
  private var capacity = 0
  private(set) var holes = 0

  @usableFromInline
  init() {}

  /// Lets go of everyone, and of the memory.
  ///
  /// For the end of the hub.
  func free() {
    guard let slots else { return }
    for index in 0..<count { slots[index]?.release() }
    slots.deallocate()
  }

  /// Adds one at the end, and tells it where; the list has the retain it comes with.
  mutating func append(_ one: Unmanaged<Listener>) {
    let slots = withRoom()
    one._withUnsafeGuaranteedRef { $0.index = Int32(count) }
    slots[count] = one
    count += 1
  }

  /// Takes one out; nothing if it is not in.
  mutating func remove(_ one: Listener) {
    let index = Int(one.index)
    guard let slots, index >= 0, let held = slots[index] else { return }
    one.index = -1
    slots[index] = nil
    if index == count - 1 { count -= 1 } else { holes += 1 }
    // Released last: it may free itself, and its own subscriber with it.
    held.release()
  }

  /// Takes out all of which `isGone` is true, and closes the holes.
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

  /// Takes out everyone.
  mutating func takeAll() -> [Listener] {
    guard let slots else { return [] }
    let all = (0..<count).compactMap { slots[$0]?.takeRetainedValue() }
    for one in all { one.index = -1 }
    count = 0
    holes = 0
    return all
  }

  /// The memory, with room for one more.
  private mutating func withRoom() -> UnsafeMutablePointer<Unmanaged<Listener>?> {
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
