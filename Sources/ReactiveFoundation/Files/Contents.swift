public import Foundation
import Glibc
public import Reactive
import ReactiveTrace

extension Data {
  /// A cold signal of the whole contents of a file.
  ///
  /// - Parameters:
  ///   - url: The file, read anew for each subscription.
  ///   - scheduler: Where the file is read and the value is sent. Disposal stops the reading after
  ///     at most 256 KiB more.
  /// - Returns: A signal of one value.
  public static func contents(
    of url: URL,
    on scheduler: some Scheduler = .background,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Data, SystemFailure> {
    whole(url, Site("contents(of:)", file, line, column), scheduler) { $0 }
  }

  /// A cold signal of the contents of a file, in pieces: the next piece is read when the subscriber
  /// has handled the previous one.
  ///
  /// - Parameters:
  ///   - url: The file, opened anew for each subscription.
  ///   - size: The maximum number of bytes in a piece.
  /// - Returns: A signal that completes at the end of the file. It sends on threads of the global
  ///   queue.
  public static func pieces(
    of url: URL,
    atMost size: Int = 65_536,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Data, SystemFailure> {
    precondition(size >= 1, "pieces(atMost: \(size)): the size must be ≥ 1")
    let site = Site("pieces(of:)", file, line, column)
    return .reading(
      site,
      url.path,
      atMost: size,
      DataChunkParser(),
      url.opening(O_RDONLY, "reading")
    )
  }

  /// A cold signal that writes this data to a file, and sends how many bytes have been written so
  /// far.
  ///
  /// The file is created if it does not exist, and truncated otherwise. The data is not written to
  /// a temporary file first, so another reader may see the file half written.
  ///
  /// - Parameters:
  ///   - url: The file.
  /// - Returns: A signal that completes when all is written.
  public func writing(
    to url: URL,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Int, SystemFailure> {
    let open = url.opening(O_WRONLY | O_CREAT | O_TRUNC, "writing")
    return .writing(Site("writing(to:)", file, line, column), [UInt8](self), url.path, open)
  }
}

extension String {
  /// A cold signal of the whole contents of a file as text.
  ///
  /// - Parameters:
  ///   - url: The file, read anew for each subscription.
  ///   - encoding: The encoding of the text; the signal fails with `EILSEQ` if the contents are not
  ///     valid in it.
  ///   - scheduler: Where the file is read and the value is sent.
  /// - Returns: A signal of one value.
  public static func contents(
    of url: URL,
    encoding: String.Encoding = .utf8,
    on scheduler: some Scheduler = .background,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<String, SystemFailure> {
    whole(url, Site("contents(of:)", file, line, column), scheduler) {
      data throws(SystemFailure) in
      if let text = String(data: data, encoding: encoding) { return text }
      let advice = "the contents are not text in \(encoding); name the encoding, or read data"
      throw SystemFailure("decoding", of: url.path, code: EILSEQ, advice: advice)
    }
  }

  /// A cold signal of the lines of a file, without their line endings.
  ///
  /// - Parameters:
  ///   - url: The file, opened anew for each subscription; its text is UTF-8.
  ///   - longest: The maximum number of bytes in a line; a longer line fails the signal.
  /// - Returns: A signal that completes at the end of the file. It sends on threads of the global
  ///   queue.
  public static func lines(
    of url: URL,
    longest: Int = 1 << 20,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<String, SystemFailure> {
    let parser = LineParser(longest: longest, of: url.path)
    let site = Site("lines(of:)", file, line, column)
    return .reading(site, url.path, atMost: 65_536, parser, url.opening(O_RDONLY, "reading"))
  }
}

extension URL {
  /// A closure that opens the file at this URL.
  fileprivate func opening(
    _ flags: Int32,
    _ operation: String
  ) -> @Sendable () throws(SystemFailure) -> OwnedDescriptor {
    { () throws(SystemFailure) in
      guard isFileURL else {
        let advice = "this is no file; use URLSession.reactive.data(from:)"
        throw SystemFailure(operation, of: absoluteString, code: EPROTONOSUPPORT, advice: advice)
      }
      return try OwnedDescriptor.open(path, flags, for: operation)
    }
  }
}

/// Reads a whole file on a scheduler.
private func whole<Value: Sendable>(
  _ url: URL,
  _ site: Site,
  _ scheduler: some Scheduler,
  _ make: @escaping @Sendable (Data) throws(SystemFailure) -> Value
) -> Signal<Value, SystemFailure> {
  .source(site, argument: url.path) { inlet in
    inlet.run(on: scheduler) {
      do throws(SystemFailure) {
        let file = try url.opening(O_RDONLY, "reading")()
        var data = Data()
        while !inlet.isDisposed {
          let bytes = try file.read(atMost: 1 << 18) {
            SystemFailure("reading", of: url.path, code: $0)
          }
          guard let bytes else { continue }
          if bytes.isEmpty { break }
          data += bytes
        }
        let value = try make(data)
        inlet.enter { observer in
          observer.send(value)
          if !observer.isDisposed { observer.complete() }
        }
      } catch {
        inlet.fail(error)
      }
    }
  }
}
