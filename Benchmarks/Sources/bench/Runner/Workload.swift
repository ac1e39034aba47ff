/// A piece of work that is measured on two sides.
///
/// The sides are this library and its peer, OpenCombine, or this library traced and untraced. Both
/// sides do the same work on the same input, which their checksums confirm.
struct Workload {
  /// Does a number of units of work, and returns the cost of one.
  typealias Side = (_ count: Int) throws -> Sample

  let name: String
  var unit = Unit.nanoseconds
  var quotient = Quotient.peerByOurs
  var goal: Goal?
  /// The number of units of work in one run: values delivered, or subscriptions.
  let count: Int
  let ours: Side
  let peer: Side
  /// The lowest cost of the same work without a library.
  var floor: Side?
}

/// The result of one run.
struct Sample {
  /// The cost of one unit of work.
  var cost: Double
  /// The checksum, which is equal on both sides.
  var checksum: Int
}

/// The unit in which a cost is counted.
enum Unit: String {
  case nanoseconds = "ns"
  case bytes
  case allocations
}

/// Which of the two costs is divided by the other.
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

/// The goal for the ratio.
enum Goal {
  case atLeast(Double)
  case atMost(Double)
}
