import CBenchmarkShims
import Dispatch

/// A side whose whole body is timed; it returns its checksum.
///
/// What it sets up is timed with the rest, and spread over so many units of work that it does not show.
func timed(_ body: @escaping (_ count: Int) -> Int) -> Workload.Side {
  { count in
    let begin = DispatchTime.now().uptimeNanoseconds
    let checksum = body(count)
    let end = DispatchTime.now().uptimeNanoseconds
    return Sample(cost: Double(end - begin) / Double(count), checksum: checksum)
  }
}

/// `value`, which the optimiser knows nothing about.
func opaque(_ value: Int) -> Int { rxb_opaque(value) }
