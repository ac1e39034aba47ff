public import CReactiveTraceShims
public import TraceFormat

/// What libraries need that see hops of another library: one that is linked into the same file, so that no table of the dynamic
/// linker leads to it. `ReactiveNIO` is one.
extension Tracer {
  /// Lets `begin` lead functions to the recorder, where hops are seen at all.
  ///
  /// It is called at once, when a recording begins, and again when images are looked at anew, perhaps in several threads; never,
  /// where nothing is recorded.
  public static func seeHops(_ begin: @convention(c) () -> Void) { rxt_hops_also(begin) }

  /// Leads a function elsewhere that is called by way of a word in the data of a loaded image, as a method of a protocol is.
  ///
  /// - Parameters:
  ///   - word: Where the address of the function is stored.
  ///   - function: What must be stored there, a function of the same image.
  ///   - replacement: What is called instead from now on, also by threads that are about to.
  /// - Returns: False where the word is no such one, or leads elsewhere already; then nothing is changed.
  public static func lead(
    _ word: UnsafeRawPointer,
    from function: UInt,
    to replacement: UInt
  ) -> Bool {
    rxt_hops_lead(word, function, replacement)
  }

  /// The asynchronous backtrace of work that a program asks the calling function for: it begins with who has called that.
  ///
  /// - Parameter kind: How the work is asked for.
  /// - Returns: What to pass to ``perform(from:_:)``; its chain is 0 where nothing is recorded, and where the library itself asks.
  @inline(never)
  public static func asked(_ kind: HopKind) -> TraceOrigin {
    var origin = TraceOrigin()
    // The frame of the calling function.
    guard let frame = UnsafePointer<UInt>(bitPattern: rxt_frame_address())?.pointee else {
      return origin
    }
    origin.chain = rxt_hops_capture(frame, kind.rawValue)
    return origin
  }

  /// Runs work that was asked for elsewhere, with the asynchronous backtrace of an origin that has one.
  ///
  /// - Returns: What `body` returns.
  @inlinable
  public static func perform<Result, Failure: Error>(
    from origin: TraceOrigin,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = rxt_chain_begin(rxt_thread_state(), origin.chain)
    defer { rxt_chain_end(rxt_thread_state(), outer) }
    return rxt_hops_see_tasks() ? try body() : try lettingTasksInherit(origin, body)
  }

  @usableFromInline
  static func lettingTasksInherit<Result, Failure: Error>(
    _ origin: TraceOrigin,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try TaskChain.with(origin.chain, body)
  }
}
