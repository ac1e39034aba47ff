import CReactiveTraceShims
import Glibc
import TracePlatform

/// How the file becomes as long as what is in it when the program ends.
///
/// While it is recorded into, it is as long as it can become, and full of holes: that takes no room on a disk, but does
/// so wherever it is sent. A program that ends in another way leaves it like that; `rxtop pack` makes it short.
extension Recorder {
  /// Stops recording for good.
  ///
  /// Called when the program exits; other threads may still run, and find that recording is stopped.
  static func end() {
    Trace.stop()
    // Of a signal handler that ends the program, see `Trace.stop`.
    guard let recorder = current, rxt_thread_state().pointee.busy == 0 else { return }
    recorder.pointee.sayHowFarItLooksBack()
    Trace.session.withLock { busily { trim(recorder) } }
  }

  /// Says on standard error that the ring looks back for less than was wished.
  private func sayHowFarItLooksBack() {
    let wish = details.pointee.options.lookBack
    guard wish > 0, let oldest = Self.busily({ pool.lock.withLock { pool.oldestTicks } }) else {
      return
    }
    let end = Layout.FileHeader.stopTicks.relaxed(at: base)
    let span = Duration.nanoseconds(clock.nanoseconds(end > oldest ? end - oldest : 0))
    guard span < .seconds(wish) else { return }
    let ring = UInt64(pool.region.capacity * Layout.Segment.size)
    let size = RingEstimate.size(for: .seconds(wish), where: ring, lasts: span)
    let milliseconds = Int(span / .milliseconds(1))
    let kept = milliseconds < 10_000 ? "\(milliseconds) ms" : "\(milliseconds / 1000) s"
    StandardError.write(
      line:
        "rxtrace: '\(details.pointee.path)': the ring of \(RingEstimate.text(bytes: ring)) keeps the last \(kept); \(RingEstimate.sentence(for: wish, size))"
    )
  }

  /// Bytes of content that are copied at most, so that the end of a program is not put off by more than some
  /// milliseconds.
  private static var copyLimit: Int { 16 << 20 }

  /// Makes the file as long as what is in it.
  ///
  /// Puts a copy without holes in its place, or cuts off what was never used at its end where that is too much to
  /// copy. Where neither is possible the file stays as it is, which is sound.
  private static func trim(_ recorder: UnsafePointer<Recorder>) {
    guard ControlWord.isStopped(recorder.pointee.control),
      !rxt_mapping_is_lost(recorder.pointee.base),
      recorder.pointee.isAtItsPath
    else { return }
    if recorder.pointee.heldBytes > copyLimit { return recorder.pointee.cutUnusedSegments() }
    guard let file = try? NewFile(beside: recorder.pointee.details.pointee.path) else { return }
    do throws(TraceError) {
      try SnapshotWriter(
        recorder: recorder,
        descriptor: file.descriptor,
        path: file.path,
        isFinal: true
      ).write()
      try file.finish(permissions: 0o600)
    } catch {
      file.abandon()
    }
  }

  /// About how many bytes of the file hold something.
  private var heldBytes: Int {
    let regions = [
      pool.region, slab.region, slab.upstreams, strings.region, sites.region, stackTable.region,
      chains.region, schedulers.region, threads.region, images.region, marks.region,
    ]
    return regions.reduce(tail.count * Layout.Segment.size) { $0 + $1.heldBytes }
  }

  /// Whether the path of the file still leads to it, and nobody has cut it: then reading it would end the program.
  private var isAtItsPath: Bool {
    let descriptor = OwnDescriptor.open(
      details.pointee.path,
      O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    )
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    return FileIdentity(of: descriptor) == details.pointee.identity
      && fstat(descriptor, &status) == 0 && status.st_size >= byteCount
  }

  /// Cuts the file behind the last segment that was ever used; they stand at its end.
  ///
  /// No thread writes there: what was not reserved before recording stopped is not reserved any more.
  private func cutUnusedSegments() {
    guard tail.count == 0, !tail.isOn else { return }
    let region = pool.region
    // Held until it is cut: a thread that did not see that recording has stopped may want another one.
    pool.lock.lock()
    defer { pool.lock.unlock() }
    let count = region.heldBytes / Layout.Segment.size
    let end = region.base - base + count * Layout.Segment.size
    guard count < region.capacity else { return }
    Layout.Region.capacity.setRelaxed(UInt32(count), at: region.row)
    Layout.Region.size.setRelaxed(UInt64(count * Layout.Segment.size), at: region.row)
    Layout.Region.used.setRelease(UInt64(count), at: region.row)
    Layout.FileHeader.fixedByteCount.setRelaxed(UInt64(end), at: base)
    truncate(details.pointee.path, off_t(end))
  }
}
