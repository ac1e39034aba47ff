/// The namespace of the signals of a Foundation object:
/// `URLSession.shared.reactive.data(for: request)`.
///
/// The separate namespace prevents confusion with Foundation's methods, many of which have the same
/// names.
public struct Bridged<Base> {
  /// The object that the signals belong to.
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
