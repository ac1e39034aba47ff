/// The word that every traced call compares with its thread's copy.
enum ControlWord {
  static var levelMask: UInt32 { 0xF }
  static var stopBit: UInt32 { 1 << 4 }
  static var generationShift: UInt32 { 32 - UInt32(Layout.FileHeader.controlGenerationBits) }

  static func generationBits(of generation: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: generation) << generationShift
  }

  static func generationBits(in word: UInt32) -> UInt32 {
    (word >> generationShift) << generationShift
  }

  static func with(_ word: UInt32, generationBits: UInt32) -> UInt32 {
    word & ((1 << generationShift) - 1) | generationBits
  }

  static func with(_ word: UInt32, level: TraceLevel) -> UInt32 {
    word & ~levelMask | level.rawValue
  }

  /// The level in force: none while recording is stopped.
  static func level(_ word: UInt32) -> UInt32 { word & stopBit != 0 ? 0 : word & levelMask }

  static func isStopped(_ word: UInt32) -> Bool { word & stopBit != 0 }
}
