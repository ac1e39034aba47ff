import CReactiveTraceShims
import TracePlatform

/// Call sites and signals.
extension Tracer {
  /// The number of a site, which is assigned at its first use.
  ///
  /// - Returns: 0 while nothing is recorded, and if there is no room for another site.
  public static func site(
    _ name: StaticString,
    traits: SiteTraits,
    file: StaticString,
    line: UInt32,
    column: UInt32
  ) -> UInt32 {
    guard isOn else { return 0 }
    let key = SiteKey(name: name, file: file, line: line, column: column)
    let thread = rxt_thread_state()
    // The cache is not used by a signal handler that has interrupted the recorder, because an entry
    // may be in the middle of being written.
    if thread.pointee.busy == 0, let met = rxt_site_place(thread, key.position),
      met.pointee.position == key.position, met.pointee.name == key.namePlace,
      met.pointee.file == key.filePlace
    {
      return met.pointee.number
    }
    return intern(key, traits)
  }

  @inline(never)
  private static func intern(_ key: SiteKey, _ traits: SiteTraits) -> UInt32 {
    guard let (recorder, thread) = Recorder.enter() else { return 0 }
    defer { Recorder.leave(thread) }
    var number = recorder.pointee.sites.find(key)
    if number == 0 {
      let level = recorder.pointee.level(atPlaceOf: key)
      number = recorder.pointee.tables.withLock {
        recorder.pointee.sites.intern(key, traits: traits, level: level)
      }
    }
    // If there was no room, this is not cached, so that the next call counts the site as lost
    // again.
    if number != 0 {
      rxt_site_place(thread, key.position)?.pointee = rxt_site_met(
        name: key.namePlace,
        file: key.filePlace,
        position: key.position,
        number: number
      )
    }
    return number
  }

  /// Records that an operator made a signal.
  ///
  /// - Parameters:
  ///   - site: The site of the operator.
  ///   - upstream: The signal that the new one subscribes to first; none if the new one is a
  ///     source.
  ///   - others: The other signals that the new one subscribes to.
  ///   - argument: The operator's arguments besides signals.
  ///   - passesOn: Whether a subscription to the new signal first subscribes to `upstream`, as a
  ///     stage that ends together with it.
  /// - Returns: The signal's identifier, for later calls.
  public static func signalCreated(
    site: UInt32,
    upstream: TraceID = .none,
    others: [TraceID] = [],
    argument: SignalArgument = .unknown,
    passesOn: Bool = false
  ) -> TraceID {
    guard isOn, let (recorder, thread) = Recorder.enter() else { return .none }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level != 0 else { return .none }
    recorder.pointee.tick(thread)
    return recorder.pointee.signalCreated(
      thread,
      site: site,
      upstream: upstream,
      others: others,
      argument: argument,
      passesOn: passesOn,
      from: rxt_frame_address()
    )
  }

  /// Records that the program gave a signal a name, of which at most 128 bytes are recorded.
  public static func signalNamed(_ signal: TraceID, _ name: String) {
    record(signal) { $0.pointee.signalNamed($1, signal, name) }
  }

  /// Records that the last reference to a signal was released.
  ///
  /// In the trace, the signal lasts until its last subscription has ended.
  public static func signalReleased(_ signal: TraceID) {
    record(signal, postponed: PostponedEnds.released) { $0.pointee.signalReleased($1, signal) }
  }
}
