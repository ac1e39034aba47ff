/// One thing that is measured on two sides.
///
/// The sides are arbitrary: the library and its peer, or the library traced and untraced. Both do the
/// same work on the same input, and prove it with a checksum.
struct Workload {
  /// Does a given number of units of work, and returns what one cost.
  typealias Side = (_ count: Int) throws -> Sample

  let name: String
  var unit = Unit.nanoseconds
  var quotient = Quotient.peerByOurs
  var goal: Goal?
  /// Units of work in one run: values delivered, or subscriptions.
  let count: Int
  let ours: Side
  let peer: Side
  /// The least that the same work costs without a library.
  var floor: Side?
}

/// What one run says.
struct Sample {
  /// Of one unit of work.
  var cost: Double
  /// What came out; equal on both sides.
  var checksum: Int
}

/// What a cost is counted in.
enum Unit: String {
  case nanoseconds = "ns"
  case bytes
  case allocations
}

/// Which way round the two costs are divided.
enum Quotient: String {
  case peerByOurs = "peer/ours"
  case oursByPeer = "ours/peer"
  /// `ours` is the library traced, `peer` the library untraced.
  case tracedByUntraced = "traced/untraced"

  func callAsFunction(ours: Double, peer: Double) -> Double {
    switch self {
    case .peerByOurs: peer / ours
    case .oursByPeer, .tracedByUntraced: ours / peer
    }
  }
}

/// Where the ratio should be.
enum Goal {
  case atLeast(Double)
  case atMost(Double)
}
