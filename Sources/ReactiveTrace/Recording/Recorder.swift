import CReactiveTraceShims
import Synchronization
import TracePlatform

/// The thread-local state of the calling thread.
typealias ThreadState = UnsafeMutablePointer<rxt_thread>

/// Everything that writes the trace of this process.
///
/// One instance is made, and never freed.
///
/// There are four locks. A thread that needs several at once takes them in this order: `tail.lock`,
/// `tables`, `slab.lock`, `pool.lock`. None is held while code of the program runs.
///
/// A recorder contains only numbers and pointers, so that using it needs no reference counting. It
/// is noncopyable and contains an atomic, because it is large, and the compiler would otherwise
/// copy all of it to the stack wherever a part is used.
///
/// `@unchecked Sendable`: nothing in it changes except atomics, and each type that it points to
/// documents which thread may change its contents.
struct Recorder: ~Copyable, @unchecked Sendable {
  /// The mapped file, which begins with the header.
  let base: UnsafeMutableRawPointer
  let byteCount: Int
  /// Whether stacks are captured at all: where work is scheduled, and at some other places.
  let capturesHops: Bool
  /// How many frames of the caller are captured for a program's own subscription; 0 for none.
  let callerLimit: Int
  /// Whether values may be recorded.
  let allowsValues: Bool
  /// The highest of the separate levels of places (``TraceLevel``); 0 if there is none.
  let placeLevel: UInt32
  /// Whether failures, which belong to no place, may be described if the overall level allows it.
  let describesFailures: Bool
  let details: UnsafePointer<Details>
  let clock: TraceClock
  let tail: StreamTail
  let pool: SegmentPool
  let slab: Slab
  /// The lock of strings, sites, stacks, chains, schedulers, arguments, threads, images and marks.
  let tables = Lock()
  let strings: StringTable
  let sites: SiteTable
  let stackTable: StackTable
  let chains: ChainTable
  let schedulers: SchedulerTable
  let arguments: ArgumentTable
  let threads: ThreadTable
  let images: ImageTable
  let marks: MarkTable
  let memory: MemoryGauge
  let postponed: PostponedEnds
  let nextHop: HopCounter
  /// The level in the last `level` record, which reports a change.
  let notedLevel: Atomic<UInt32>
  /// How many segments are assigned in the startup, during which level `graph` includes single
  /// events, and whether the startup is still going on.
  let startupSegments: UInt64
  let isStartingUp: Atomic<Bool>
  /// Whether recording has stopped early.
  let hasEnded = Atomic(false)

  /// Rarely used parts.
  struct Details: Sendable {
    let options: TraceOptions
    let path: String
    let identity: FileIdentity
    /// The messages for a full disk, and for a file that has lost a page.
    let noRoom: PreparedLine
    let lostPage: PreparedLine
  }

  /// The recorder of this process, once there is one.
  ///
  /// The load acquires everything that the initializer wrote.
  static var current: UnsafePointer<Recorder>? {
    rxt_recorder().map { UnsafePointer($0.assumingMemoryBound(to: Recorder.self)) }
  }

  /// Lays out the tables in a file that is all zeros, and writes its header.
  init(file: MappedFile, options: TraceOptions, process: ProcessIdentity) throws(TraceError) {
    // Everything that may fail comes before the first property is set, because a partly initialized
    // noncopyable value cannot be destroyed.
    let header = file.base
    let start = TraceClock.readNow()
    let clock = try TraceClock(start: start)
    let tail = try StreamTail(file: file, limit: options.limit)
    let pool = try SegmentPool(
      region: file.region(.segments),
      header: header,
      clock: clock,
      tail: tail
    )
    let slab = try Slab(
      region: file.region(.slab),
      upstreams: file.region(.upstreams),
      slotBits: file.plan.slotBits,
      header: header
    )
    let strings = try StringTable(region: file.region(.strings))
    let sites = try SiteTable(region: file.region(.sites), strings: strings)
    let stackTable = try StackTable(region: file.region(.stacks))
    let chains = try ChainTable(region: file.region(.chains))
    let schedulers = SchedulerTable(region: file.region(.schedulers), strings: strings)
    let arguments = try ArgumentTable(region: file.region(.arguments), strings: strings)
    let threads = try ThreadTable(region: file.region(.threads))
    let images = ImageTable(
      region: file.region(.images),
      strings: strings,
      executable: strings.intern(process.executablePath)
    )
    let counts = file.region(.markCounts)
    counts.used = counts.capacity
    let marks = try MarkTable(
      region: file.region(.marks),
      counts: counts,
      sites: sites,
      clock: clock
    )
    let postponed = try PostponedEnds(slotCount: slab.region.capacity)
    let nextHop = try HopCounter()
    let memory = try MemoryGauge()

    base = file.base
    byteCount = file.plan.byteCount
    capturesHops = options.stacks != .off
    callerLimit =
      switch options.stacks {
      case .off, .hops: 0
      case .callers: Layout.StackHeap.callerLimit
      case .all: Layout.StackHeap.limit
      }
    placeLevel = options.highestPlaceLevel.rawValue
    allowsValues = max(options.maximumLevel, options.highestPlaceLevel) == .values
    describesFailures = options.places.allSatisfy { $0.recordedLevel == .values }
    let details = UnsafeMutablePointer<Details>.allocate(capacity: 1)
    details.initialize(
      to: Details(
        options: options,
        path: file.path,
        identity: file.identity,
        noRoom: PreparedLine(
          "rxtrace: '\(file.path)': the disk has no room for more; recording has stopped, and the program goes on; "
            + "make room, set RXTRACE_DIR, or ask for a smaller 'size'"
        ),
        lostPage: PreparedLine(
          "rxtrace: '\(file.path)' was truncated while it was recorded, or its disk has failed; "
            + "recording has stopped, "
            + "and the program goes on; restart the program to record it"
        )
      )
    )
    self.details = UnsafePointer(details)
    self.clock = clock
    self.tail = tail
    self.pool = pool
    self.slab = slab
    self.strings = strings
    self.sites = sites
    self.stackTable = stackTable
    self.chains = chains
    self.schedulers = schedulers
    self.arguments = arguments
    self.threads = threads
    self.images = images
    self.marks = marks
    self.memory = memory
    self.postponed = postponed
    self.nextHop = nextHop
    notedLevel = Atomic(options.firstLevel.rawValue)
    startupSegments = options.startupSegments
    isStartingUp = Atomic(startupSegments > 0)
    images.refresh()
    writeHeader(file, process, start)
  }

  // MARK: The control word

  var control: UInt32 { Layout.FileHeader.control.relaxed(at: base) }

  /// Stops or resumes recording, for all threads.
  func setStopped(_ stopped: Bool) {
    Layout.FileHeader.control.update(at: base) { word in
      stopped ? word | ControlWord.stopBit : word & ~ControlWord.stopBit
    }
    updateFlag()
  }

  func updateFlag() {
    rxt_store_relaxed_u32(
      rxt_probe_extras_word(),
      (LogPattern.isSet ? 1 : 0) | (allowsValues ? 2 : 0) | (placeLevel == 0 ? 0 : 4)
    )
    rxt_store_release_u32(
      rxt_recording_flag(),
      ControlWord.level(control) == 0 ? LogPattern.idleFlag : 1
    )
  }

  // MARK: Header

  private func writeHeader(_ file: MappedFile, _ process: ProcessIdentity, _ start: ClockReading) {
    typealias Header = Layout.FileHeader
    let header = base
    let options = details.pointee.options
    Header.majorVersion.store(Header.currentMajorVersion, to: header)
    Header.minorVersion.store(Header.currentMinorVersion, to: header)
    let word = ControlWord.generationBits(of: 1) | options.firstLevel.rawValue
    Header.control.store(word, to: header)
    Header.clock.store(
      (clock.countsCycles == 1 ? ClockKind.cycles : .monotonic).rawValue,
      to: header
    )
    Header.fixedByteCount.store(UInt64(file.plan.byteCount), to: header)
    Header.generation.store(1, to: header)
    Header.startTicks.store(start.ticks, to: header)
    Header.startMonotonic.store(start.monotonic, to: header)
    Header.startRealtime.store(start.realtime, to: header)
    pool.writeLatest(start)
    Header.processID.store(UInt32(bitPattern: process.id), to: header)
    Header.userID.store(process.user, to: header)
    Header.processStart.store(process.start, to: header)
    Header.processNamespace.store(process.namespace, to: header)
    Header.bootIDHigh.store(process.bootID.high, to: header)
    Header.bootIDLow.store(process.bootID.low, to: header)
    Header.stackMode.store(options.stacks.rawValue, to: header)
    Header.startLevel.store(options.firstLevel.rawValue, to: header)
    Header.baseLevel.store(options.firstLevel.rawValue, to: header)
    Header.maximumLevel.store(options.maximumLevel.rawValue, to: header)
    Header.slotBits.store(file.plan.slotBits, to: header)
    Header.mode.store(options.mode.rawValue, to: header)
    Header.programName.store(strings.intern(process.programName), to: header)
    Header.executablePath.store(strings.intern(process.executablePath), to: header)
    Header.note.store(strings.intern(file.note), to: header)
    Header.lookBack.store(options.lookBack, to: header)
    Header.places.store(
      options.places.isEmpty ? 0 : strings.intern(options.placesText, limit: 1024),
      to: header
    )
    Header.architecture.store(Architecture.current.rawValue, to: header)
    Header.state.setRelaxed(FileState.recording.rawValue, at: header)
    // The magic number is stored last, because a file without it is not read.
    Header.magic.setRelease(Header.magicNumber, at: header)
  }

  /// Records that recording has stopped, or that it continues.
  func writeState(_ state: FileState) {
    let reading = clock.read()
    pool.lock.withLock { pool.writeLatest(reading) }
    if state == .recording { hasEnded.store(false, ordering: .relaxed) }
    // If a signal was recorded as the end of the process, the program has survived it.
    Layout.FileHeader.endedBy.setRelaxed(EndingKind.unknown.rawValue, at: base)
    Layout.FileHeader.stopError.setRelaxed(0, at: base)
    Layout.FileHeader.stopTicks.setRelaxed(state == .stopped ? reading.ticks : 0, at: base)
    Layout.FileHeader.state.setRelease(state.rawValue, at: base)
  }
}

/// Assigns numbers to hops.
///
/// `@unchecked Sendable`: the counter is atomic.
struct HopCounter: @unchecked Sendable {
  private let count: UnsafeMutablePointer<UInt32>

  init() throws(TraceError) { count = try PrivateMemory.allocate(UInt32.self, count: 1) }

  /// A number that no hop of the last four billion had; never 0.
  func next() -> UInt32 {
    let number = rxt_add_u32(count, 1) &+ 1
    return number == 0 ? rxt_add_u32(count, 1) &+ 1 : number
  }
}

extension Architecture {
  /// The processor this code runs on.
  static var current: Architecture {
    #if arch(x86_64)
    .x86_64
    #elseif arch(arm64)
    .arm64
    #else
    .unknown
    #endif
  }
}
