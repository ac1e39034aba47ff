import CReactiveTraceShims
import TracePlatform

/// The signals that exist, with their states: for tests, for logs, and for inspecting a program
/// from inside.
///
/// A signal is *created* at first, *active* while it has subscriptions, *inactive* when its last
/// one has ended, and *released* when nothing holds it any more and it has no subscription. A
/// subscription does not hold its signal, but the signal is listed for as long as the subscription
/// lasts. Only signals that were made while something was recorded are known.
///
/// ```swift
/// try Trace.start()
/// …
/// for signal in ActiveSignals.snapshot().signals where signal.subscriptions > 100 { print(signal) }
/// ```
public struct ActiveSignals: Sendable, CustomStringConvertible {
  /// A signal that has not been released.
  public struct Entry: Sendable, CustomStringConvertible {
    /// Its identifier in the trace.
    public let id: TraceID
    /// A number that is unique among all entities of the recording; later ones have higher numbers.
    public let serial: UInt64
    /// The name that the program gave it, or otherwise the operator's.
    public let name: String
    /// The operator that made it.
    public let operatorName: String
    /// The `#fileID` of the call that made it: module, slash, file name.
    public let file: String
    /// The line of the call.
    public let line: UInt32
    /// Created, active or inactive.
    public let state: EntityState
    /// Its subscriptions that have not ended.
    ///
    /// A program's own call of `subscribe`, and the subscription to the signal that it begins,
    /// count as one: after one call, the number is 1 for this signal and for each one upstream.
    public let subscriptions: Int
    /// All subscriptions it ever had, counted in the same way.
    public let subscriptionsEver: UInt64

    /// For example `ticks @ Demo/main.swift:7: active, 2 of 5 subscriptions`.
    public var description: String {
      "\(name) @ \(file):\(line): \(state), \(subscriptions) of \(subscriptionsEver) subscriptions"
    }
  }

  /// Whether anything is recorded, or was recorded.
  ///
  /// If it is false, it is unknown which signals exist, and an empty ``signals`` does not mean that
  /// there are none.
  public let isRecorded: Bool
  /// The signals that have not been released, the oldest first.
  public let signals: [Entry]
  /// How many have been released since recording began.
  public let released: UInt64
  /// The number of signals and other entities for which the table had no room.
  ///
  /// If it is not 0, there may be more signals than these.
  public let lost: UInt64

  /// Signals that were never subscribed to.
  public var created: Int { count(.created) }
  /// Signals that have a subscription.
  public var active: Int { count(.active) }
  /// Signals that had a subscription, and have none any more.
  public var inactive: Int { count(.inactive) }

  private func count(_ state: EntityState) -> Int { signals.count { $0.state == state } }

  /// For example `3 signals: 1 created, 2 active, 0 inactive; 7 released`; if nothing is recorded,
  /// a text that says so and what to do.
  public var description: String {
    guard isRecorded else {
      return "nothing is recorded: set RXTRACE=1, or call Trace.start() before the signals are made"
    }
    let states = "\(created) created, \(active) active, \(inactive) inactive"
    let others = lost > 0 ? "; \(lost) dropped" : ""
    let noun = signals.count == 1 ? "signal" : "signals"
    return "\(signals.count) \(noun): \(states); \(released) released\(others)"
  }

  /// The signals of this process.
  ///
  /// Empty, with ``isRecorded`` false, if no recording has ever begun. Once a recording has begun,
  /// even at level ``/TraceFormat/TraceLevel/off``, the result lists the signals that were made
  /// while something was recorded.
  ///
  /// The program continues meanwhile, so signals that are being made or released may or may not be
  /// included; each is shown as it was at one moment. Holds no lock for long and does not read the
  /// file.
  ///
  /// - Complexity: O(*n*) in the number of entities that were alive at once.
  public static func snapshot() -> ActiveSignals {
    guard let recorder = Recorder.current else {
      return ActiveSignals(isRecorded: false, signals: [], released: 0, lost: 0)
    }
    return recorder.pointee.activeSignals()
  }

  init(isRecorded: Bool, signals: [Entry], released: UInt64, lost: UInt64) {
    self.isRecorded = isRecorded
    self.signals = signals
    self.released = released
    self.lost = lost
  }
}

extension Recorder {
  /// Reads the slab (the table of live entities) as another process would, and reads the strings
  /// without a lock.
  fileprivate func activeSignals() -> ActiveSignals {
    var entries: [ActiveSignals.Entry] = []
    for index in 1..<max(1, slab.region.used) {
      let slot = slab.region.entry(index)
      // Pairs with the release store by which the slot's writer publishes the slot.
      let serial = Layout.Slot.serial.acquire(at: slot)
      let word = Layout.Slot.state.relaxed(at: slot)
      guard serial != 0, Packing.kind(ofState: word) == EntityKind.signal.rawValue else { continue }
      let site = Layout.Slot.site.relaxed(at: slot)
      let name = Layout.Slot.signal.relaxed(at: slot)
      let subscriptions = Layout.Slot.depth.relaxed(at: slot)
      let ever = Layout.Slot.eventCount.relaxed(at: slot)
      // The slot may have been reused for another entity while it was read.
      rxt_fence_acquire()
      guard Layout.Slot.serial.relaxed(at: slot) == serial else { continue }
      let row = sites.row(site)
      let operatorName = string(Layout.Site.name.relaxed(at: row))
      entries.append(
        ActiveSignals.Entry(
          id: Packing.identifier(slot: UInt32(index), serial: serial, slotBits: slab.slotBits),
          serial: serial,
          name: name == 0 ? operatorName : string(name),
          operatorName: operatorName,
          file: string(Layout.Site.file.relaxed(at: row)),
          line: Layout.Site.line.relaxed(at: row),
          state: EntityState(rawValue: Packing.state(ofState: word)) ?? .created,
          subscriptions: Int(subscriptions),
          subscriptionsEver: ever
        )
      )
    }
    var released: UInt64 = 0
    for number in 0..<sites.region.used {
      released &+= Layout.Site.signalsReleased.relaxed(at: sites.region.entry(number))
    }
    let lost = Layout.Region.lost.relaxed(at: slab.region.row)
    entries.sort { $0.serial < $1.serial }
    return ActiveSignals(isRecorded: true, signals: entries, released: released, lost: lost)
  }

  /// The text of a string that a table refers to.
  private func string(_ number: UInt32) -> String {
    // Strings are written once, before anything refers to them.
    String(decoding: strings.bytes(number), as: UTF8.self)
  }
}
