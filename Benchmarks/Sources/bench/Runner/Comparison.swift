/// The result of the pairs of runs of one workload.
struct Comparison {
  let workload: Workload
  /// The medians of the cost of one unit.
  let ours: Double
  let peer: Double
  let floor: Double?
  /// The median of the ratios of paired runs, and its 95 % bootstrap interval.
  let ratio: Double
  let interval: ClosedRange<Double>
  let checksum: Int

  enum Verdict: String {
    case reached, missed
    /// The goal lies within the interval, so these pairs cannot decide whether it is reached.
    case open
  }

  var verdict: Verdict? {
    switch workload.goal {
    case nil: nil
    case .atLeast(let goal):
      interval.lowerBound >= goal ? .reached : interval.upperBound < goal ? .missed : .open
    case .atMost(let goal):
      interval.upperBound <= goal ? .reached : interval.lowerBound > goal ? .missed : .open
    }
  }
}

/// The two sides of a workload did not do the same work.
struct ChecksumMismatch: Error, CustomStringConvertible {
  let workload: String
  let ours: Int
  let other: Int

  var description: String {
    "'\(workload)': the sides did not do the same work: checksum \(ours) on ours, \(other) on the "
      + "other; no figure of this workload means anything"
  }
}

extension Workload {
  /// Runs both sides alternately, after one pair that is not counted.
  ///
  /// If the machine becomes slower for a while, both runs of a pair become slower, so their ratio
  /// stays the same.
  func compare(pairs: Int, shrunkBy divisor: Int = 1) throws -> Comparison {
    let count = max(count / divisor, 1000)
    var oursCosts: [Double] = []
    var peerCosts: [Double] = []
    var floorCosts: [Double] = []
    var ratios: [Double] = []
    var checksum = 0
    for pair in 0...pairs {
      let oursSample = try ours(opaque(count))
      let peerSample = try peer(opaque(count))
      let floorSample = try floor?(opaque(count))
      checksum = oursSample.checksum
      for other in [peerSample.checksum, floorSample?.checksum ?? checksum] where other != checksum
      {
        throw ChecksumMismatch(workload: name, ours: checksum, other: other)
      }
      guard pair > 0 else { continue }
      oursCosts.append(oursSample.cost)
      peerCosts.append(peerSample.cost)
      if let floorSample { floorCosts.append(floorSample.cost) }
      ratios.append(quotient(ours: oursSample.cost, peer: peerSample.cost))
    }
    return Comparison(
      workload: self,
      ours: oursCosts.median(),
      peer: peerCosts.median(),
      floor: floorCosts.isEmpty ? nil : floorCosts.median(),
      ratio: ratios.median(),
      interval: ratios.medianInterval(),
      checksum: checksum
    )
  }
}
