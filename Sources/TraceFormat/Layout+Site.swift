// MARK: §7 Sites

extension Layout {
  /// A site: an operator at a line of code, with its counters.
  ///
  /// All counters only rise.
  public enum Site {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 384 }
    /// The string number of the operator's name.
    @inlinable public static var name: Field<UInt32> { Field(at: 0) }
    /// The string number of the `#fileID`: module, slash, file name.
    @inlinable public static var file: Field<UInt32> { Field(at: 4) }
    /// The line of the call.
    @inlinable public static var line: Field<UInt32> { Field(at: 8) }
    /// Its column.
    @inlinable public static var column: Field<UInt32> { Field(at: 12) }
    /// The traits of the operator (``SiteTraits``).
    @inlinable public static var traits: Field<UInt32> { Field(at: 16) }
    /// The smallest number of live subscriptions since the last mark.
    @inlinable public static var minimumLive: Field<UInt32> { Field(at: 20) }
    /// Signals made here.
    @inlinable public static var signalsCreated: Field<UInt64> { Field(at: 24) }
    /// Signals made here that were released.
    @inlinable public static var signalsReleased: Field<UInt64> { Field(at: 32) }
    /// Subscriptions begun.
    @inlinable public static var subscribed: Field<UInt64> { Field(at: 40) }
    /// Subscriptions ended, by ``EndReason``: eight counters.
    @inlinable public static func ended(_ reason: Int) -> Field<UInt64> {
      Field(at: 48 + 8 * reason)
    }
    /// Subscription objects released.
    @inlinable public static var released: Field<UInt64> { Field(at: 112) }
    /// Events of released subscriptions; those of live ones are in the slab.
    @inlinable public static var eventsOfReleased: Field<UInt64> { Field(at: 120) }
    /// Events refused after disposal or termination.
    @inlinable public static var refused: Field<UInt64> { Field(at: 128) }
    /// Disposables released before their subscription ended.
    @inlinable public static var disposablesReleased: Field<UInt64> { Field(at: 136) }
    /// Timers armed.
    @inlinable public static var timersArmed: Field<UInt64> { Field(at: 144) }
    /// Timers ended.
    @inlinable public static var timersEnded: Field<UInt64> { Field(at: 152) }
    /// Fires of all timers armed here.
    @inlinable public static var timerFires: Field<UInt64> { Field(at: 160) }
    /// Lifetimes of ended subscriptions: 48 counters of 4 bytes, one per power of two of
    /// nanoseconds.
    @inlinable public static func lifetime(_ power: Int) -> Field<UInt32> {
      Field(at: 168 + 4 * power)
    }
    /// The number of counters of lifetimes.
    @inlinable public static var lifetimeCount: Int { 48 }
    /// Owners that got a first subscription; 0 in version 1.0.
    @inlinable public static var ownersCreated: Field<UInt64> { Field(at: 360) }
    /// Owners counted in ``ownersCreated`` that ended; 0 in version 1.0.
    @inlinable public static var ownersEnded: Field<UInt64> { Field(at: 368) }
    /// The separate ``TraceLevel`` of this place; 0 if the overall level applies.
    @inlinable public static var level: Field<UInt32> { Field(at: 376) }
  }
}
