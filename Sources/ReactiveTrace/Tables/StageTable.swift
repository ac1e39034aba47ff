import CReactiveTraceShims

/// The recorder's data about each slot, which readers do not need.
///
/// A slot is an entry of the slab, the trace's table of live entities.
///
/// For a subscription: how many holders it has, and which stage ends after it. For a signal:
/// whether a subscription to it subscribes to its upstream at once.
///
/// A *stage* is the subscription to one signal of a chain of operators. A *scope* identifies the
/// stages that end together.
///
/// A subscription is released when it has ended and has no holder any more. Holders are its
/// closures, and code that may report a refused event later.
///
/// `@unchecked Sendable`: rows are only accessed atomically.
struct StageTable: @unchecked Sendable {
  /// Four words for each slot: the number of holders, the stage that ends after it, and the scope,
  /// which takes two words.
  ///
  /// The lowest bit of a scope is set if something downstream is not traced.
  private let rows: UnsafeMutablePointer<UInt32>

  init(slotCount: Int) throws(TraceError) {
    rows = try PrivateMemory.allocate(UInt32.self, count: 4 * slotCount)
  }

  @inline(__always)
  private func row(_ index: Int) -> UnsafeMutablePointer<UInt32> { rows + 4 &* index }

  /// Fills in the row of a new entity: its closures are its only holder, and it ends before `next`,
  /// unless ``setNext(_:_:)`` changes that.
  @inline(__always)
  func begin(_ index: Int, before next: TraceID, in scope: UInt) {
    rxt_store_relaxed_u32(row(index), 1)
    rxt_store_relaxed_u32(row(index) + 1, next.rawValue)
    rxt_store_relaxed_u64(row(index) + 2, UInt64(scope))
  }

  // MARK: Signals

  /// Whether a subscription to the signal subscribes to its first upstream at once, in the same
  /// scope.
  @inline(__always)
  func passesOn(_ index: Int) -> Bool { rxt_load_relaxed_u32(row(index)) == Self.passing }

  /// Notes that a subscription to the signal subscribes to its first upstream at once.
  ///
  /// Only to be called by the code that makes the signal.
  @inline(__always)
  func setPassesOn(_ index: Int) { rxt_store_relaxed_u32(row(index), Self.passing) }

  // MARK: Holders

  /// Whether the subscription has no holder any more; it cannot get one again.
  @inline(__always)
  func isUnheld(_ index: Int) -> Bool { rxt_load_relaxed_u32(row(index)) == 0 }

  /// Whether the subscription has exactly one holder.
  @inline(__always)
  func isHeldByOne(_ index: Int) -> Bool { rxt_load_relaxed_u32(row(index)) == 1 }

  /// Changes the number of holders, and returns the new one.
  ///
  /// Requires the slab's lock.
  @inline(__always)
  @discardableResult
  func addHolders(_ change: Int32, _ index: Int) -> UInt32 {
    let new = rxt_load_relaxed_u32(row(index)) &+ UInt32(bitPattern: change)
    rxt_store_relaxed_u32(row(index), new)
    return new
  }

  /// Notes that the thread which ends a subscription without holders has already written the record
  /// of its release.
  @inline(__always)
  func setReleaseWritten(_ index: Int) { rxt_store_relaxed_u32(row(index), Self.written) }

  @inline(__always)
  func isReleaseWritten(_ index: Int) -> Bool { rxt_load_relaxed_u32(row(index)) == Self.written }

  private static var passing: UInt32 { .max - 1 }
  /// A number of holders that cannot occur.
  private static var written: UInt32 { .max }

  // MARK: Stages of one scope

  /// Whether two subscriptions are known to end with the same scope.
  @inline(__always)
  func areOfOneScope(_ one: Int, _ other: Int) -> Bool {
    let scope = rxt_load_relaxed_u64(row(one) + 2) & ~1
    return scope != 0 && scope == rxt_load_relaxed_u64(row(other) + 2) & ~1
  }

  /// Whether something that is not traced is, or may be, directly downstream of the subscription.
  @inline(__always)
  func isAboveUnknown(_ index: Int) -> Bool {
    let scope = rxt_load_relaxed_u64(row(index) + 2)
    return scope == 0 || scope & 1 != 0
  }

  /// The stage that ends after this one, in the same scope; none if this is the last.
  @inline(__always)
  func next(_ index: Int) -> TraceID {
    TraceID(rawValue: rxt_load_relaxed_u32(row(index) + 1))
  }

  /// Sets the stage that ends after this one, in the same scope.
  ///
  /// Only to be called before the stage becomes known to its scope, or by the code that ends it.
  @inline(__always)
  func setNext(_ next: TraceID, _ index: Int) {
    rxt_store_relaxed_u32(row(index) + 1, next.rawValue)
  }
}
