public import CReactiveTraceShims
import TracePlatform

/// Values: recorded at level ``/TraceFormat/TraceLevel/values`` and nowhere else.
extension Tracer {
  /// Whether values of a subscription may ever be recorded: determined once, so that other
  /// subscriptions pay nothing for it.
  @inlinable @inline(__always)
  public static func mayRecordValues(of subscription: TraceID) -> Bool {
    let extras = rxt_load_relaxed_u32(rxt_probe_extras_word())
    return extras & 2 != 0 && (extras & 4 == 0 || isOfPlaceWithValues(subscription))
  }

  /// Whether its place has a separate level, and that is ``/TraceFormat/TraceLevel/values``.
  @usableFromInline @inline(never)
  static func isOfPlaceWithValues(_ subscription: TraceID) -> Bool {
    guard let recorder = Recorder.current else { return false }
    let slot = recorder.pointee.slab.slot(subscription)
    let whole = recorder.pointee.details.pointee.options.maximumLevel.rawValue
    return recorder.pointee.level(atPlaceOf: slot, else: whole) >= TraceLevel.values.rawValue
  }

  /// Whether values may be recorded anywhere in this process.
  @inlinable @inline(__always)
  public static var mayRecordValues: Bool {
    rxt_load_relaxed_u32(rxt_probe_extras_word()) & 2 != 0
  }

  /// Describes a value that has just passed through a subscription, if the level is ``/TraceFormat/TraceLevel/values``.
  ///
  /// The description is passed through ``Trace/redact`` and clipped to
  /// ``/TraceFormat/Layout/Record/valueByteCount`` bytes. It is made by code of the program,
  /// outside of the recorder; a value that this code sends itself is not described.
  @inlinable @inline(__always)
  public static func value<Value>(_ subscription: TraceID, _ value: Value) {
    if rxt_thread_state().pointee.level >= TraceLevel.values.rawValue {
      describe(subscription, value)
    }
  }

  @usableFromInline @inline(never)
  static func describe<Value>(_ subscription: TraceID, _ value: Value) {
    // No code of the program is called for a value that is not recorded.
    guard Recorder.current?.pointee.mayDescribe(subscription, rxt_thread_state()) ?? false,
      let text = ClippedText(describing: value),
      let (recorder, thread) = Recorder.enter()
    else { return }
    defer { Recorder.leave(thread) }
    guard let slot = recorder.pointee.slab.liveSlot(subscription),
      recorder.pointee.level(of: slot, thread) >= TraceLevel.values.rawValue
    else { return }
    recorder.pointee.write(text.record(.value, subscription.rawValue), thread, about: slot)
  }

  /// Describes a failure that is about to be forwarded, as ``value(_:_:)`` does for a value.
  @inlinable @inline(__always)
  public static func failure(_ error: some Error) {
    if mayRecordValues { describeFailure(error) }
  }

  @usableFromInline @inline(never)
  static func describeFailure(_ error: some Error) {
    guard let (recorder, thread) = Recorder.enter() else { return }
    let isWanted = recorder.pointee.isFailureDescribed(thread)
    Recorder.leave(thread)
    guard isWanted, let text = ClippedText(describing: error),
      let (recorder, thread) = Recorder.enter()
    else { return }
    defer { Recorder.leave(thread) }
    guard recorder.pointee.isFailureDescribed(thread) else { return }
    recorder.pointee.tick(thread)
    let name = _typeName(type(of: error))
    let number = recorder.pointee.tables.withLock { recorder.pointee.strings.intern(name) }
    recorder.pointee.write(text.record(.failureText, number), thread)
  }
}

extension Trace {
  /// Changes descriptions of values before they are recorded at level
  /// ``/TraceFormat/TraceLevel/values``: for information that must not be written to a file.
  ///
  /// It receives the whole description and returns what may be recorded, of which the first bytes
  /// are kept, or nil for nothing. Called on the threads on which values are sent, before the value
  /// is delivered further.
  ///
  /// ```swift
  /// Trace.redact = { $0.contains("password") ? nil : $0 }
  /// ```
  public static var redact: (@Sendable (_ description: String) -> String?)? {
    get { Redaction.hook.get() }
    set { Redaction.hook.set(newValue) }
  }
}

/// The function, read under a lock if there is one: only at level values.
///
/// `@unchecked Sendable`: `function` is only used with the lock held, and what `isSet` points at is
/// only accessed atomically.
private final class Redaction: @unchecked Sendable {
  static let hook = Redaction()
  private let lock = Lock()
  private let isSet: UnsafeMutablePointer<UInt32>
  private var function: (@Sendable (String) -> String?)?

  private init() {
    isSet = .allocate(capacity: 1)
    isSet.initialize(to: 0)
  }

  func get() -> (@Sendable (String) -> String?)? {
    rxt_load_acquire_u32(isSet) == 0 ? nil : lock.withLock { function }
  }

  func set(_ new: (@Sendable (String) -> String?)?) {
    lock.withLock {
      function = new
      rxt_store_release_u32(isSet, new == nil ? 0 : 1)
    }
  }
}
