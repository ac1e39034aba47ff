/// The word with the level and the generation of a recording.
///
/// At each call of the recorder, a thread compares it with the thread's own copy.
package enum ControlWord {
  @inlinable
  package static var levelMask: UInt32 { 0xF }
  @inlinable
  package static var stopBit: UInt32 { 1 << 4 }
  @inlinable
  package static var generationShift: UInt32 {
    32 - UInt32(Layout.FileHeader.controlGenerationBits)
  }

  @inlinable
  package static func generationBits(of generation: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: generation) << generationShift
  }

  @inlinable
  package static func generationBits(in word: UInt32) -> UInt32 {
    (word >> generationShift) << generationShift
  }

  @inlinable
  package static func with(_ word: UInt32, generationBits: UInt32) -> UInt32 {
    word & ((1 << generationShift) - 1) | generationBits
  }

  @inlinable
  package static func with(_ word: UInt32, level: TraceLevel) -> UInt32 {
    word & ~levelMask | level.rawValue
  }

  /// The raw value of the effective level: 0, which is off, while recording is stopped.
  @inlinable
  package static func level(_ word: UInt32) -> UInt32 { word & stopBit != 0 ? 0 : word & levelMask }

  @inlinable
  package static func isStopped(_ word: UInt32) -> Bool { word & stopBit != 0 }
}
