import Glibc
import TraceFormat

extension Signal where Value == Int, Failure == SystemFailure {
  /// A cold signal that writes bytes to a descriptor, and sends how many have been written so far.
  ///
  /// ```
  /// writing(_:to:)   -4096--8192-|
  /// ```
  ///
  /// While the other side does not read, the signal waits without blocking a thread; disposal stops
  /// it after the bytes written so far. If the other side is closed, the signal fails with `EPIPE`,
  /// and the program gets no `SIGPIPE`; with a descriptor that is not open for writing, such as the
  /// reading end of a pipe, it fails at once with `EBADF`.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to write: all of them, for each subscription.
  ///   - descriptor: Checked at the subscription; it may be closed afterwards, because a copy is
  ///     used.
  /// - Returns: A signal that completes when all is written. It sends on threads of the global
  ///   queue.
  public static func writing(
    _ bytes: [UInt8],
    to descriptor: Int32,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    writing(Site("writing(to:)", file, line, column), bytes, "descriptor \(descriptor)") {
      () throws(SystemFailure) in
      try OwnedDescriptor.copy(of: descriptor, for: "writing", .writing)
    }
  }

  /// Writes to a file that is opened anew for each subscription.
  ///
  /// - Parameters:
  ///   - site: The operator.
  ///   - bytes: The bytes to write.
  ///   - subject: The name of the file, for failures and for the signal's name.
  ///   - open: Opens the file, once per subscription.
  /// - Returns: A signal of how many bytes have been written.
  package static func writing(
    _ site: Site,
    _ bytes: [UInt8],
    _ subject: String,
    _ open: @escaping @Sendable () throws(SystemFailure) -> OwnedDescriptor
  ) -> Signal {
    .source(site, argument: subject, on: SystemCallbacks.descriptors) { inlet in
      do throws(SystemFailure) {
        let wait = DescriptorWait(try open(), for: POLLOUT)
        inlet.onDispose { [weak wait] in wait?.cancel() }
        DescriptorWriter(inlet, wait, bytes, subject).continueWriting(from: 0)
      } catch {
        inlet.fail(error)
      }
    }
  }
}

/// Writes a portion, sends the count, and continues when the count has been handled.
private final class DescriptorWriter: Sendable {
  private let inlet: Inlet<Int, SystemFailure>
  private let wait: DescriptorWait
  private let bytes: [UInt8]
  private let subject: String
  /// The number of bytes that a pipe accepts without blocking when it is ready; files accept more
  /// at once.
  private let portion: Int

  init(
    _ inlet: Inlet<Int, SystemFailure>,
    _ wait: DescriptorWait,
    _ bytes: [UInt8],
    _ subject: String
  ) {
    self.inlet = inlet
    self.wait = wait
    self.bytes = bytes
    self.subject = subject
    var status = stat()
    let isFile =
      fstat(wait.descriptor.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    portion = isFile ? 1 << 20 : 4096
  }

  func continueWriting(from written: Int) {
    if written == bytes.count { return inlet.complete() }
    wait { self.write(from: written) }
  }

  private func write(from written: Int) {
    if inlet.isDisposed { return }
    do throws(SystemFailure) {
      let count = try some(from: written)
      if count == 0 { return continueWriting(from: written) }
      inlet.send(written + count) { self.continueWriting(from: written + count) }
    } catch {
      inlet.fail(error)
    }
  }

  private func some(from written: Int) throws(SystemFailure) -> Int {
    let result = bytes.withUnsafeBytes { all -> Result<Int, SystemFailure> in
      let end = min(written + portion, all.count)
      do throws(SystemFailure) {
        let count = try wait.descriptor.write(UnsafeRawBufferPointer(rebasing: all[written..<end]))
        { SystemFailure("writing", of: subject, code: $0) }
        return .success(count)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
