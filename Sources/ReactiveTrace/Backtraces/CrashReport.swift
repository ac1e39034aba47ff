import CReactiveTraceShims
import TracePlatform

/// The report of a crash on standard error.
///
/// It is prepared in advance, because a signal handler cannot look up names.
enum CrashReport {
  /// Prepares reports for crashes of this process, whose stacks and chains (asynchronous
  /// backtraces) are in the tables of `recorder`.
  ///
  /// Does nothing when called again. Requires the session lock.
  ///
  /// - Returns: Whether this is the first call.
  static func prepare(for recorder: UnsafePointer<Recorder>) -> Bool {
    if isReady { return false }
    isReady = true
    let (images, functions) = FunctionNames.everything()
    var names = Names()
    var report = rxt_crash_report(
      stored: stored(recorder),
      functions: names.rows(functions),
      images: names.rows(images),
      function_count: UInt64(functions.count),
      image_count: UInt64(images.count),
      names: UnsafePointer(text("")),
      separators: separators(),
      separator_count: UInt32(HopKind.allCases.count),
      program: UnsafePointer(text(ProcessIdentity.current().programName)),
      path: UnsafePointer(text(recorder.pointee.details.pointee.path)),
      knows_chains: recorder.pointee.capturesHops ? 1 : 0
    )
    report.names = UnsafePointer(names.copy())
    let place = UnsafeMutablePointer<rxt_crash_report>.allocate(capacity: 1)
    place.initialize(to: report)
    rxt_crash_report_with(place)
    return true
  }

  /// Guarded by the session lock.
  private nonisolated(unsafe) static var isReady = false

  private static func stored(_ recorder: UnsafePointer<Recorder>) -> rxt_stored_chains {
    rxt_stored_chains(
      chains: recorder.pointee.chains.region.stored(unit: Layout.Chain.byteCount),
      stacks: recorder.pointee.stackTable.region.stored(unit: Layout.StackHeap.unit),
      schedulers: recorder.pointee.schedulers.region.stored(unit: Layout.Scheduler.byteCount),
      strings: recorder.pointee.strings.region.stored(unit: Layout.StringHeap.unit),
      stack: UInt32(Layout.Chain.stack.offset),
      parent: UInt32(Layout.Chain.parent.offset),
      scheduler: UInt32(Layout.Chain.scheduler.offset),
      depth: UInt32(Layout.Chain.depth.offset),
      kind_shift: Layout.Chain.kindShift,
      kind_mask: Layout.Chain.kindMask,
      repeat_bit: Layout.Chain.repeatBit,
      cut_bit: Layout.Chain.cutBit,
      frames: UInt32(Layout.StackHeap.frames),
      name: UInt32(Layout.Scheduler.name.offset),
      length: UInt32(Layout.StringHeap.length.offset),
      bytes: UInt32(Layout.StringHeap.bytes),
      depth_limit: UInt32(Layout.Chain.depthLimit)
    )
  }

  /// The lines that separate two stacks, indexed by the kind of hop: how the work was requested.
  private static func separators() -> UnsafePointer<UnsafePointer<CChar>?> {
    let kinds = HopKind.allCases
    let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: kinds.count)
    for (index, kind) in kinds.enumerated() {
      let line = kind.words.map { UnsafePointer(text("… asynchronously invoked (\($0)) from:\n")) }
      (list + index).initialize(to: line)
    }
    return UnsafePointer(list)
  }

  private static func text(_ text: String) -> UnsafeMutablePointer<CChar> {
    text.withCString { words in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
      copy.initialize(from: words, count: text.utf8.count + 1)
      return copy
    }
  }

  /// The names of functions and images, each stored once.
  private struct Names {
    private var bytes: [CChar] = []
    private var places: [String: Int] = ["": 0]

    /// Copies ranges of code into an array for the handler.
    ///
    /// The array is never freed.
    mutating func rows(_ code: [FunctionNames.Code]) -> UnsafePointer<rxt_named_code> {
      let rows = UnsafeMutablePointer<rxt_named_code>.allocate(capacity: max(code.count, 1))
      for (index, code) in code.enumerated() {
        let name = code.name ?? ""
        let place = place(of: name)
        let row = rxt_named_code(
          start: code.range.lowerBound,
          end: code.range.upperBound,
          name: UInt32(place),
          name_size: UInt32(name.utf8.count)
        )
        (rows + index).initialize(to: row)
      }
      return UnsafePointer(rows)
    }

    private mutating func place(of name: String) -> Int {
      if let known = places[name] { return known }
      let place = bytes.count
      places[name] = place
      bytes += name.utf8.map(CChar.init(bitPattern:))
      return place
    }

    func copy() -> UnsafeMutablePointer<CChar> {
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: max(bytes.count, 1))
      copy.initialize(from: bytes, count: bytes.count)
      return copy
    }
  }
}

extension MappedRegion {
  /// The location of the table in memory, for the signal handler.
  fileprivate func stored(unit: Int) -> rxt_stored {
    rxt_stored(
      base: UnsafePointer(base.assumingMemoryBound(to: UInt8.self)),
      used: UnsafePointer(UnsafeMutableRawPointer(state).assumingMemoryBound(to: UInt64.self)),
      unit: UInt32(unit)
    )
  }
}
