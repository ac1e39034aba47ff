import CReactiveTraceShims
import Glibc
import TracePlatform

/// Reduces the file to the length of its contents when the program ends.
///
/// During the recording, the file has its maximum length, and is full of holes, which take no disk
/// space but may do so once the file is copied. A program that crashes or is killed leaves it like
/// that; `rxtop pack` shortens it.
extension Recorder {
  /// Stops recording for good.
  ///
  /// Called when the program exits. Other threads may still run, and record nothing any more.
  static func end() {
    Trace.stop()
    // A signal handler that ends the program may have interrupted the recorder, as in `Trace.stop`.
    guard let recorder = current, rxt_thread_state().pointee.busy == 0 else { return }
    recorder.pointee.reportReach()
    Trace.session.withLock { busily { trim(recorder) } }
  }

  /// Reports on standard error if the ring covers less time than requested.
  private func reportReach() {
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

  /// The maximum number of bytes that are copied, so that the end of a program is not delayed by
  /// more than a few milliseconds.
  private static var copyLimit: Int { 16 << 20 }

  /// Reduces the file to the length of its contents.
  ///
  /// Replaces it with a copy without holes, or cuts off the unused part at its end if there is too
  /// much to copy. If neither is possible the file stays as it is, which is valid.
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

  /// The approximate number of bytes of the file that hold something.
  private var heldBytes: Int {
    let regions = [
      pool.region, slab.region, slab.upstreams, strings.region, sites.region, stackTable.region,
      chains.region, schedulers.region, threads.region, images.region, marks.region,
    ]
    return regions.reduce(tail.count * Layout.Segment.size) { $0 + $1.heldBytes }
  }

  /// Whether the path still leads to this file, and the file has not been cut; if it had been cut,
  /// reading the mapping would raise SIGBUS.
  private var isAtItsPath: Bool {
    let descriptor = OwnDescriptor.open(details.pointee.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    return FileIdentity(of: descriptor) == details.pointee.identity
      && fstat(descriptor, &status) == 0 && status.st_size >= byteCount
  }

  /// Cuts the file after the last segment that was ever used; segments are at its end.
  ///
  /// No thread writes there, because no more space is reserved after recording has stopped.
  private func cutUnusedSegments() {
    guard tail.count == 0, !tail.isOn else { return }
    let region = pool.region
    // The lock is held until the file is cut, because a thread that has not noticed that recording
    // has stopped may request another segment.
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
