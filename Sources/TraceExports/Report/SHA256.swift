import TraceModel

/// The SHA-256 hash function (FIPS 180-4).
struct SHA256 {
  /// The hash in Base64, as a content security policy contains it.
  static func base64(_ bytes: [UInt8]) -> String {
    CompactBacktrace.base64(hash(bytes))
  }

  /// The hash as 32 bytes.
  static func hash(_ bytes: [UInt8]) -> [UInt8] {
    let constants = roots(64, cube: true)
    var state = roots(8, cube: false)
    var message = bytes + [0x80]
    message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
    message += bigEndian(UInt64(bytes.count) * 8)
    for block in stride(from: 0, to: message.count, by: 64) {
      mix(message[block..<(block + 64)], constants, &state)
    }
    return state.flatMap(bigEndian)
  }

  private static func mix(
    _ block: ArraySlice<UInt8>,
    _ constants: [UInt32],
    _ state: inout [UInt32]
  ) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
      block[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for place in 16..<64 {
      let (early, late) = (words[place - 15], words[place - 2])
      let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
      let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
      words.append(words[place - 16] &+ first &+ words[place - 7] &+ second)
    }
    var mixed = state
    for place in 0..<64 {
      let (a, b, c, e, f, g) = (mixed[0], mixed[1], mixed[2], mixed[4], mixed[5], mixed[6])
      let choice = (e & f) ^ (~e & g)
      let upper = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
      let one = mixed[7] &+ upper &+ choice &+ constants[place] &+ words[place]
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
      mixed = [one &+ two, a, b, c, mixed[3] &+ one, e, f, g]
    }
    for place in 0..<8 { state[place] &+= mixed[place] }
  }

  private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// The first 32 bits of the fractional parts of the square or cube roots of the first primes.
  ///
  /// Integer arithmetic suffices, because these bits are the low 32 bits of the square root of p ·
  /// 2⁶⁴, or of the cube root of p · 2⁹⁶.
  private static func roots(_ count: Int, cube: Bool) -> [UInt32] {
    let primes = (2..<312).lazy.filter { number in
      !(2..<number).contains { $0 * $0 <= number && number.isMultiple(of: $0) }
    }
    return primes.prefix(count).map { prime in
      let wanted = UInt128(prime) << (cube ? 96 : 64)
      var root = UInt128(0)
      for bit in (0..<36).reversed() {
        let next = root | 1 << UInt128(bit)
        if (cube ? next * next * next : next * next) <= wanted { root = next }
      }
      return UInt32(truncatingIfNeeded: root)
    }
  }
}
