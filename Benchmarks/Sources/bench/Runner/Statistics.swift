extension [Double] {
  /// The middle value, or the mean of the two values in the middle.
  func median() -> Double {
    precondition(!isEmpty, "median: there is no middle of nothing")
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The 95 % confidence interval of the median, by the percentile bootstrap.
  ///
  /// The seed is fixed, so that the same samples always give the same interval.
  func medianInterval(resamples: Int = 4000) -> ClosedRange<Double> {
    var generator = SplitMix64(state: 0x5EED)
    var resample = self
    var medians: [Double] = []
    medians.reserveCapacity(resamples)
    for _ in 0..<resamples {
      for index in resample.indices {
        resample[index] = self[Int.random(in: 0..<count, using: &generator)]
      }
      medians.append(resample.median())
    }
    medians.sort()
    return medians[resamples * 25 / 1000]...medians[resamples * 975 / 1000 - 1]
  }
}

/// A small generator of random numbers that depend only on the seed.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
