/// Random numbers that are the same for the same seed on every machine (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Starts the numbers of one part of a campaign, which do not depend on how many numbers earlier
  /// parts used.
  init(seed: UInt64, part: Int) {
    state = seed
    state = next() ^ UInt64(bitPattern: Int64(part))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number in `0..<limit`, or 0 if that range is empty.
  mutating func below(_ limit: Int) -> Int { limit > 1 ? Int(next() % UInt64(limit)) : 0 }

  /// One element of an array, which must not be empty.
  mutating func one<Element>(of list: [Element]) -> Element { list[below(list.count)] }
}
