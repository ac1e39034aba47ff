public import CReactiveTraceShims
public import TraceFormat

/// Functions for libraries, such as `ReactiveNIO`, that record the hops of another library which is
/// linked into the same file.
///
/// A hop is the passage of work to another queue, thread or task. The recorder cannot redirect
/// calls within one file by itself, because they do not go through a table of the dynamic linker.
extension Tracer {
  /// Registers `begin`, a function that redirects functions of the other library to the recorder.
  ///
  /// `begin` is called when a recording begins, or at once if one has begun already, and again
  /// whenever the loaded images (the executable and libraries) are examined anew, perhaps on
  /// several threads at once. It is never called if nothing is recorded.
  public static func onHopsBegin(_ begin: @convention(c) () -> Void) { rxt_hops_also(begin) }

  /// Redirects a function that is called through a word in the data of a loaded image, such as a
  /// method of a protocol.
  ///
  /// - Parameters:
  ///   - word: Where the address of the function is stored.
  ///   - function: The expected contents of the word, a function of the same image.
  ///   - replacement: The function that is called instead from now on, also by threads that are
  ///     about to call it.
  /// - Returns: False if the word has other contents, or is redirected already; then nothing is
  ///   changed.
  public static func redirect(
    _ word: UnsafeRawPointer,
    from function: UInt,
    to replacement: UInt
  ) -> Bool {
    rxt_hops_lead(word, function, replacement)
  }

  /// The asynchronous backtrace of work that a program requests from the function that calls this
  /// one.
  ///
  /// The backtrace begins with the caller of that function.
  ///
  /// - Parameter kind: How the work is requested.
  /// - Returns: The argument for ``perform(from:_:)``; its chain is 0 if nothing is recorded, or if
  ///   the library itself requests the work.
  @inline(never)
  public static func captureOrigin(_ kind: HopKind) -> TraceOrigin {
    var origin = TraceOrigin()
    // The frame of the calling function.
    guard let frame = UnsafePointer<UInt>(bitPattern: rxt_frame_address())?.pointee else {
      return origin
    }
    origin.chain = rxt_hops_capture(frame, kind.rawValue)
    return origin
  }

  /// Runs work that was requested elsewhere, with the asynchronous backtrace of its origin.
  ///
  /// - Returns: The result of `body`.
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
