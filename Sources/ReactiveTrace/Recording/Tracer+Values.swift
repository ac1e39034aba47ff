public import CReactiveTraceShims
import TracePlatform

/// Values: recorded at level ``/TraceFormat/TraceLevel/values`` and nowhere else.
extension Tracer {
  /// Whether values may be recorded in this process at all: asked once per subscription, so that the others
  /// pay nothing for them.
  @inlinable @inline(__always)
  public static var mayRecordValues: Bool {
    rxt_load_relaxed_u32(rxt_probe_extras_word()) & 2 != 0
  }

  /// Describes a value that has just passed through a subscription, if the level is ``/TraceFormat/TraceLevel/values``.
  ///
  /// The description passes ``Trace/redact`` and is clipped to ``/TraceFormat/Layout/Record/valueByteCount`` bytes. It
  /// is made by code of the program, outside of the recorder; a value that it sends itself is not described.
  @inlinable @inline(__always)
  public static func value<Value>(_ subscription: TraceID, _ value: Value) {
    if rxt_thread_state().pointee.level >= TraceLevel.values.rawValue {
      describe(subscription, value)
    }
  }

  @usableFromInline @inline(never)
  static func describe<Value>(_ subscription: TraceID, _ value: Value) {
    guard let text = ClippedText(describing: value),
      let (recorder, thread) = Recorder.enter()
    else { return }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level >= TraceLevel.values.rawValue,
      let slot = recorder.pointee.slab.liveSlot(subscription)
    else { return }
    recorder.pointee.write(text.record(.value, subscription.rawValue), thread, about: slot)
  }

  /// Describes a failure that is about to be passed on, as ``value(_:_:)`` does a value.
  @inlinable @inline(__always)
  public static func failure(_ error: some Error) {
    if mayRecordValues { describeFailure(error) }
  }

  @usableFromInline @inline(never)
  static func describeFailure(_ error: some Error) {
    guard let (_, thread) = Recorder.enter() else { return }
    let isWanted = thread.pointee.level >= TraceLevel.values.rawValue
    Recorder.leave(thread)
    guard isWanted, let text = ClippedText(describing: error),
      let (recorder, thread) = Recorder.enter()
    else { return }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level >= TraceLevel.values.rawValue else { return }
    recorder.pointee.tick(thread)
    let name = _typeName(type(of: error))
    let number = recorder.pointee.tables.withLock { recorder.pointee.strings.intern(name) }
    recorder.pointee.write(text.record(.failureText, number), thread)
  }
}

/// The first bytes of a text, as they stand in a record, and how many there were.
struct ClippedText: TextOutputStream {
  /// Bytes of all that was written.
  private(set) var byteCount = 0
  /// The first of them, six or eight to a word.
  private(set) var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

  init() {}

  /// The description of something, by code of the program; nil while another one is made on this thread.
  init?<Value>(describing value: Value) {
    let thread = rxt_thread_state()
    guard thread.pointee.describing == 0 else { return nil }
    thread.pointee.describing = 1
    if let redact = Trace.redact {
      if let redacted = redact(String(describing: value)) { write(redacted) }
    } else {
      print(value, terminator: "", to: &self)
    }
    thread.pointee.describing = 0
  }

  func record(_ kind: RecordKind, _ id: UInt32) -> PendingRecord {
    var record = PendingRecord(kind, id, UInt32(clamping: byteCount))
    record.continuations = 3
    record.more = words
    return record
  }

  mutating func write(_ text: String) {
    guard byteCount < Layout.Record.valueByteCount else {
      byteCount += text.utf8.count
      return
    }
    for byte in text.utf8 {
      if byteCount < Layout.Record.valueByteCount { put(byte, at: byteCount) }
      byteCount += 1
    }
  }

  private mutating func put(_ byte: UInt8, at index: Int) {
    let (pair, place) = index.quotientAndRemainder(dividingBy: 14)
    let (word, shift) = place < 6 ? (2 * pair, place) : (2 * pair + 1, place - 6)
    let bits = UInt64(byte) << UInt64(8 * shift)
    switch word {
    case 0: words.0 |= bits
    case 1: words.1 |= bits
    case 2: words.2 |= bits
    case 3: words.3 |= bits
    case 4: words.4 |= bits
    default: words.5 |= bits
    }
  }
}

extension Trace {
  /// Changes descriptions of values before they are recorded at level ``/TraceFormat/TraceLevel/values``: for what must not
  /// stand in a file.
  ///
  /// It gets the whole description and returns what may be recorded, of which the first bytes are kept, or nil
  /// for nothing. Called on the threads that values pass on, before the value is delivered further.
  ///
  /// ```swift
  /// Trace.redact = { $0.contains("password") ? nil : $0 }
  /// ```
  public static var redact: (@Sendable (_ description: String) -> String?)? {
    get { Redaction.hook.get() }
    set { Redaction.hook.set(newValue) }
  }
}

/// The hook, read under a lock: only at the level of values.
///
/// `@unchecked Sendable`: `function` is only touched with the lock held.
private final class Redaction: @unchecked Sendable {
  static let hook = Redaction()
  private let lock = Lock()
  private var function: (@Sendable (String) -> String?)?

  func get() -> (@Sendable (String) -> String?)? { lock.withLock { function } }
  func set(_ new: (@Sendable (String) -> String?)?) { lock.withLock { function = new } }
}
