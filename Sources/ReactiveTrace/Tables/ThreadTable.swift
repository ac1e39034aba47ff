import CReactiveTraceShims
import TracePlatform

/// One row per thread that recorded anything.
///
/// When all rows are in use, a new thread gets the row of the thread that ended first.
///
/// `@unchecked Sendable`: all methods require the table lock, except ``countLost(_:_:)``, whose
/// counter is atomic.
struct ThreadTable: @unchecked Sendable {
  let region: MappedRegion
  private let state: UnsafeMutablePointer<State>
  private let ended: UnsafeMutablePointer<UInt32>

  struct State: BitwiseCopyable {
    var endedHead = 0
    var endedCount = 0
  }

  init(region: MappedRegion) throws(TraceError) {
    self.region = region
    state = try PrivateMemory.allocate(State.self, count: 1)
    state.initialize(to: State())
    ended = try PrivateMemory.allocate(UInt32.self, count: region.capacity)
    // Row 0 represents threads for which there was no room.
    region.used = 1
  }

  /// Gives the calling thread a row; returns 0, and counts a loss, if there is none.
  func add(firstSeen: UInt64) -> UInt32 {
    guard let number = takeRow() else {
      region.countLost()
      return 0
    }
    let row = region.entry(number)
    let system = rxt_thread_id()
    Layout.Thread.systemID.setRelaxed(UInt32(truncatingIfNeeded: system), at: row)
    Layout.Thread.isMain.setRelaxed(rxt_is_main_thread() ? 1 : 0, at: row)
    Layout.Thread.ended.setRelaxed(0, at: row)
    Layout.Thread.lost.setRelaxed(0, at: row)
    Layout.Thread.firstSeen.setRelaxed(firstSeen, at: row)
    writeName(row)
    if number >= region.used { region.used = number + 1 }
    return UInt32(number)
  }

  /// Stores the calling thread's name.
  ///
  /// This is repeated when the thread ends, because many threads get their name only after they
  /// have begun to work.
  private func writeName(_ row: UnsafeMutableRawPointer) {
    let name = UnsafeMutableRawBufferPointer(
      start: row + Layout.Thread.name,
      count: Layout.Thread.nameByteCount
    )
    name.initializeMemory(as: UInt8.self, repeating: 0)
    if let text = name.bindMemory(to: CChar.self).baseAddress { rxt_thread_name(text, name.count) }
  }

  /// Records that the calling thread, which has row `number`, is ending.
  func end(_ number: UInt32, at ticks: UInt64) {
    guard number != 0 else { return }
    writeName(region.entry(Int(number)))
    Layout.Thread.ended.setRelaxed(ticks, at: region.entry(Int(number)))
    let place = (state.pointee.endedHead + state.pointee.endedCount) % region.capacity
    ended[place] = number
    state.pointee.endedCount += 1
  }

  /// Counts records of a thread that were dropped.
  ///
  /// Needs no lock.
  func countLost(_ number: UInt32, _ count: UInt64) {
    Layout.Thread.lost.add(count, at: region.entry(Int(number)))
  }

  private func takeRow() -> Int? {
    let fresh = region.used
    if fresh < region.capacity, region.reserve(fresh + 1) { return fresh }
    guard state.pointee.endedCount > 0 else { return nil }
    let number = ended[state.pointee.endedHead]
    state.pointee.endedHead = (state.pointee.endedHead + 1) % region.capacity
    state.pointee.endedCount -= 1
    return Int(number)
  }
}
