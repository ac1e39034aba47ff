import Glibc
import TraceFormat

extension Signal where Value == Void, Failure == SystemFailure {
  /// A cold signal that sends whenever a descriptor can be read from without waiting, or is at its
  /// end.
  ///
  /// The handler of the value must read: when the value has been handled and there is still
  /// something to read, the next value comes at once. The signal fails at once with `EBADF` if the
  /// descriptor is not open for reading. To get just the contents, use
  /// ``Signal/bytes(of:atMost:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - descriptor: Checked at the subscription; it may be closed afterwards, because a copy is
  ///     used.
  /// - Returns: A signal that never ends by itself, and sends on threads of the global queue.
  public static func readable(
    _ descriptor: Int32,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    ready(Site("readable", file, line, column, .endless), descriptor, POLLIN)
  }

  /// A cold signal that sends whenever a descriptor can be written to without waiting.
  ///
  /// When a value has been handled and there is still room, the next value comes at once: end the
  /// subscription when there is nothing to write. The signal fails at once with `EBADF` if the
  /// descriptor is not open for writing. ``Signal/writing(_:to:file:line:column:)`` does the
  /// writing itself.
  ///
  /// - Parameters:
  ///   - descriptor: Checked at the subscription; it may be closed afterwards, because a copy is
  ///     used.
  /// - Returns: A signal that never ends by itself, and sends on threads of the global queue.
  public static func writable(
    _ descriptor: Int32,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    ready(Site("writable", file, line, column, .endless), descriptor, POLLOUT)
  }

  private static func ready(_ site: Site, _ descriptor: Int32, _ events: Int32) -> Signal {
    .source(site, argument: "\(descriptor)", on: SystemCallbacks.descriptors) { inlet in
      do throws(SystemFailure) {
        let copy = try OwnedDescriptor.copy(
          of: descriptor,
          for: "waiting for",
          events == POLLIN ? .reading : .writing
        )
        let wait = DescriptorWait(copy, for: events)
        inlet.onDispose { [weak wait] in wait?.cancel() }
        notify(inlet, wait)
      } catch {
        inlet.fail(error)
      }
    }
  }

  private static func notify(_ inlet: Inlet<Void, SystemFailure>, _ wait: DescriptorWait) {
    wait { inlet.send(()) { notify(inlet, wait) } }
  }
}
