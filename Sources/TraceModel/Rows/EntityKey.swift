public import TraceReading

/// The permanent identity of an entity (a signal, subscription, timer or owner): its identifier
/// together with its serial, which is its number in the order of creation.
///
/// Identifiers are reused, but serials never are, so two keys with serials are equal exactly when
/// they refer to the same entity. The serial is 0 if the trace mentions the entity without saying
/// which serial it has.
public struct EntityKey: Hashable, Sendable, Comparable {
  /// The identifier that records use for it.
  public var id: TraceID
  /// Its number in the order of creation, shown as `#12`; 0 if unknown.
  public var serial: UInt64

  /// Creates the key of an entity.
  public init(id: TraceID, serial: UInt64) {
    self.id = id
    self.serial = serial
  }

  /// `#12`, or `#?` if the serial is unknown.
  public var label: String { serial == 0 ? "#?" : "#\(serial)" }

  /// Orders entities by their creation.
  public static func < (left: Self, right: Self) -> Bool {
    (left.serial, left.id.rawValue) < (right.serial, right.id.rawValue)
  }
}

/// The state of an entity at the instant shown.
///
/// Wherever a row has an optional of this type, nil means that the trace does not say.
public enum LifeState: String, Sendable, CaseIterable {
  /// A signal that was never subscribed to.
  case created
  /// A running subscription, an armed timer, or a signal with live subscriptions.
  case active
  /// A signal whose last subscription has ended.
  case inactive
  /// A subscription whose disposal was requested and is in progress.
  case disposing
  /// A subscription or timer that has ended and is not yet released.
  case ended
  /// A released entity; shown for a while so that its disappearance is visible.
  case released

  /// The state according to a slot of the slab, which is the trace's table of live entities.
  public init(_ state: EntityState) {
    switch state {
    case .created: self = .created
    case .active: self = .active
    case .inactive: self = .inactive
    case .disposing: self = .disposing
    case .ended: self = .ended
    }
  }

  /// Whether the entity counts as live.
  public var isLive: Bool { self != .ended && self != .released }
}

/// What happened to a row since the previous inspection, or since the mark with which it is
/// compared.
public enum RowChange: String, Sendable {
  /// Nothing.
  case none
  /// It did not exist before.
  case new
  /// It ended or was released.
  case ended
}
