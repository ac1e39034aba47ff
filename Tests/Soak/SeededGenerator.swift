/// SplitMix64: the same numbers for the same seed, on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The numbers of one part of a campaign, which do not depend on how many the parts before it took.
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

  /// One of `0..<limit`; 0 if there is none.
  mutating func below(_ limit: Int) -> Int { limit > 1 ? Int(next() % UInt64(limit)) : 0 }

  /// One of an array that is not empty.
  mutating func one<Element>(of list: [Element]) -> Element { list[below(list.count)] }
}
