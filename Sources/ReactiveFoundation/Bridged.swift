/// What gives signals under ``ReactiveBridging/reactive``: `URLSession.shared.reactive.data(for: request)`.
///
/// A name of their own keeps them apart from Foundation's methods, which are called alike.
public struct Bridged<Base> {
  /// What the signals are of.
  public let base: Base

  init(_ base: Base) { self.base = base }
}

extension Bridged: Sendable where Base: Sendable {}

/// A type of Foundation that has a ``reactive`` property.
public protocol ReactiveBridging {}

extension ReactiveBridging {
  /// The signals of this object.
  public var reactive: Bridged<Self> { Bridged(self) }
}
