import Glibc
package import TraceReading

/// The stack of a subscription and the place where it was made, before symbols are looked up.
package struct RecordedCall: Sendable, Hashable {
  /// Return addresses, innermost first.
  package var stack: [UInt64]
  /// The file of its site, as the compiler names it.
  package var file: String
  /// The line of its site.
  package var line: UInt32

  package init(stack: [UInt64], file: String, line: UInt32) {
    self.stack = stack
    self.file = file
    self.line = line
  }
}

/// The callers of the subscriptions of a trace, looked up on first access.
///
/// There may be a hundred thousand subscriptions, and few stacks: each stack is resolved once, and
/// all addresses that are likely to be needed are looked up together, because most of the time is
/// spent finding the debug information.
///
/// `@unchecked Sendable`: cached results are only accessed with the mutex held.
package final class CallPaths: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var symbolizer: Symbolizer
  private var imageCount: Int
  /// The functions at the addresses that were looked up.
  private var frames: [UInt64: [SymbolizedFrame]] = [:]
  /// The number of the path of each call.
  private var numbers: [RecordedCall: Int] = [:]
  /// The number of the path of each subscription, by chain (asynchronous backtrace) and site.
  private var numbersOfRows: [UInt64: Int] = [:]
  /// All paths, each stored once.
  private var paths: [CallPath] = []
  private var places: [CallPath: Int] = [:]

  /// The maximum number of addresses that are looked up before they are needed.
  private static let limit = 4096

  /// The paths of a trace, without any lookup yet.
  package init(_ snapshot: TraceSnapshot) {
    symbolizer = Symbolizer(snapshot)
    imageCount = snapshot.images.count
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Takes note of libraries that the program has loaded since.
  package func update(_ snapshot: TraceSnapshot) {
    locked {
      guard imageCount != snapshot.images.count else { return }
      symbolizer = Symbolizer(snapshot)
      imageCount = snapshot.images.count
      (frames, numbers, numbersOfRows) = ([:], [:], [:])
    }
  }

  /// The number of addresses that have been looked up.
  package var lookedUpCount: Int { locked { frames.count } }

  /// The path of a call.
  ///
  /// - Parameters:
  ///   - call: The recorded stack and place of the call.
  ///   - others: Stacks that will be needed, too.
  /// - Returns: What is known about the path.
  package func path(of call: RecordedCall, alongside others: () -> [[UInt64]]) -> CallPath {
    locked { paths[number(of: call, others)] }
  }

  /// The path of a subscription.
  package func path(of chain: UInt32, at site: UInt32, _ snapshot: TraceSnapshot) -> CallPath {
    locked { paths[number(of: chain, site, snapshot)] }
  }

  /// A number that is the same for all subscriptions made along the same path.
  package func number(of chain: UInt32, at site: UInt32, _ snapshot: TraceSnapshot) -> Int {
    locked { number(of: chain, site, snapshot) }
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  // MARK: With the mutex held

  private func number(of chain: UInt32, _ site: UInt32, _ snapshot: TraceSnapshot) -> Int {
    let row = UInt64(chain) << 32 | UInt64(site)
    if let known = numbersOfRows[row] { return known }
    let made = number(of: snapshot.call(of: chain, at: site)) { snapshot.stacksOfCallers }
    numbersOfRows[row] = made
    return made
  }

  private func number(of call: RecordedCall, _ others: () -> [[UInt64]]) -> Int {
    if let known = numbers[call] { return known }
    if call.stack.contains(where: { frames[$0] == nil }) { lookUp(call.stack, others()) }
    let path = CallPath(
      call.stack.flatMap { frames[$0] ?? [] },
      file: call.file,
      line: call.line
    )
    let number = places[path] ?? paths.count
    if number == paths.count {
      paths.append(path)
      places[path] = number
    }
    numbers[call] = number
    return number
  }

  private func lookUp(_ stack: [UInt64], _ others: [[UInt64]]) {
    var wanted = Set(stack)
    for other in others where wanted.count < Self.limit { wanted.formUnion(other) }
    let unknown = wanted.filter { frames[$0] == nil }
    for frame in symbolizer.frames(unknown.sorted()) {
      frames[frame.address, default: []].append(frame)
    }
  }
}

extension TraceSnapshot {
  /// Whether the backtraces of root subscriptions begin with the callers that made them.
  package var hasCallers: Bool { [.callers, .all].contains(header.stackMode) }

  /// The recorded stack and site of a subscription.
  package func call(of chain: UInt32, at site: UInt32) -> RecordedCall {
    let row = Int(site) < sites.count ? sites[Int(site)] : TraceSite()
    let stack = Int(chain) < chains.count ? chains[Int(chain)].frames : []
    return RecordedCall(stack: stack, file: row.file, line: row.line)
  }

  /// The stacks of live root subscriptions.
  fileprivate var stacksOfCallers: [[UInt64]] {
    var wanted: Set<UInt32> = []
    for slot in slots where slot.kind == .subscription && slot.link == .none {
      wanted.insert(slot.chain)
    }
    return wanted.sorted().map { call(of: $0, at: 0).stack }
  }
}
