import Glibc
import TraceFormat

extension Signal where Value == [UInt8], Failure == SystemFailure {
  /// A cold signal of the bytes that are read from a descriptor (a file, a pipe, a socket, a
  /// terminal), in pieces, as they come.
  ///
  /// ```
  /// bytes(of:)   -[1 2 3]--[4]-|       completes at the end of the file
  /// ```
  ///
  /// The next piece is read when the previous one has been handled, so that only one is in memory
  /// at a time, and a process that writes into a pipe waits when the pipe is full. (If events are
  /// queued downstream, as by `deliver(on:)`, that queue has no bound: `buffer(_:whenFull:on:)` has
  /// one.)
  ///
  /// A subscription reads from a copy of the descriptor, which it closes when it ends: the program
  /// may close the original at any time. With a descriptor that is not open for reading, such as
  /// the writing end of a pipe, the signal fails at once with `EBADF`. Copies share their position:
  /// if there are several subscriptions, each gets only a part. The descriptor may be blocking; a
  /// subscription then blocks a thread if other readers take the bytes that were available.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to read; checked at the subscription.
  ///   - size: The maximum number of bytes in a piece.
  /// - Returns: A signal that ends with the file. It sends on threads of the global queue.
  public static func bytes(
    of descriptor: Int32,
    atMost size: Int = 65_536,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(size >= 1, "bytes(atMost: \(size)): the size must be ≥ 1 (OperatorIndex, bytes)")
    return reading(
      Site("bytes(of:)", file, line, column),
      "descriptor \(descriptor)",
      atMost: size,
      ByteChunkParser()
    ) { () throws(SystemFailure) in
      try OwnedDescriptor.copy(of: descriptor, for: "reading", .reading)
    }
  }
}

extension Signal where Value == String, Failure == SystemFailure {
  /// A cold signal of the lines that can be read from a descriptor, as they come.
  ///
  /// ```
  /// lines(of:)   -"a"--"b"-|
  /// ```
  ///
  /// Like ``Signal/bytes(of:atMost:file:line:column:)``; lines end with a line feed, which is
  /// removed, as is a carriage return before it. Invalid UTF-8 becomes U+FFFD. All lines that were
  /// read at once are sent without waiting for each other to be handled.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to read; checked at the subscription.
  ///   - longest: The maximum number of bytes of a line; a longer line fails the signal, after the
  ///     lines before it.
  /// - Returns: A signal that ends with the file; a last line without a line feed is sent, too.
  public static func lines(
    of descriptor: Int32,
    longest: Int = 1 << 20,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let subject = "descriptor \(descriptor)"
    return reading(
      Site("lines(of:)", file, line, column),
      subject,
      atMost: 65_536,
      LineParser(longest: longest, of: subject)
    ) { () throws(SystemFailure) in
      try OwnedDescriptor.copy(of: descriptor, for: "reading", .reading)
    }
  }
}

extension Signal where Failure == SystemFailure {
  /// A cold signal of the pieces of a file.
  ///
  /// - Parameters:
  ///   - site: The operator.
  ///   - subject: The name of the file, for failures and for the signal's name.
  ///   - size: The maximum number of bytes that are read at once.
  ///   - parser: Splits the bytes into pieces; copied for each subscription.
  ///   - open: Opens the file, once per subscription.
  /// - Returns: A signal that ends with the file.
  package static func reading<Parser: StreamParser>(
    _ site: Site,
    _ subject: String,
    atMost size: Int,
    _ parser: Parser,
    _ open: @escaping @Sendable () throws(SystemFailure) -> OwnedDescriptor
  ) -> Signal where Parser.Piece == Value {
    .source(site, argument: subject, on: SystemCallbacks.descriptors) { inlet in
      do throws(SystemFailure) {
        let wait = DescriptorWait(try open(), for: POLLIN)
        inlet.onDispose { [weak wait] in wait?.cancel() }
        DescriptorReader(inlet, wait, parser, subject, size).readWhenReady()
      } catch {
        inlet.fail(error)
      }
    }
  }
}

/// Reads a portion, sends its pieces, and continues when they have been handled.
private final class DescriptorReader<Parser: StreamParser>: Sendable {
  private let inlet: Inlet<Parser.Piece, SystemFailure>
  private let wait: DescriptorWait
  /// Needs no lock, because reads never overlap.
  private let parser: StageState<Parser>
  private let subject: String
  private let size: Int

  init(
    _ inlet: Inlet<Parser.Piece, SystemFailure>,
    _ wait: DescriptorWait,
    _ parser: Parser,
    _ subject: String,
    _ size: Int
  ) {
    self.inlet = inlet
    self.wait = wait
    self.parser = StageState(parser)
    self.subject = subject
    self.size = size
  }

  func readWhenReady() { wait { self.read() } }

  private func read() {
    if inlet.isDisposed { return }
    var pieces: [Parser.Piece] = []
    do throws(SystemFailure) {
      let bytes = try wait.descriptor.read(atMost: size) { [subject] code in
        SystemFailure("reading", of: subject, code: code)
      }
      guard let bytes else { return readWhenReady() }
      if bytes.isEmpty { return finish() }
      try parser.value.parse(bytes, into: &pieces)
      if parser.value.isOver { return finish(pieces) }
      send(pieces)
    } catch {
      // The pieces that were complete before the error are sent first, however the bytes were
      // divided among reads.
      inlet.enter { [pieces] observer in
        for piece in pieces where !observer.isDisposed { observer.send(piece) }
        if !observer.isDisposed { observer.fail(error) }
      }
    }
  }

  private func send(_ pieces: [Parser.Piece]) {
    guard let last = pieces.last else { return readWhenReady() }
    for piece in pieces.dropLast() { inlet.send(piece) }
    inlet.send(last) { self.readWhenReady() }
  }

  private func finish(_ pieces: [Parser.Piece] = []) {
    inlet.enter { observer in
      for piece in pieces + parser.value.finish() where !observer.isDisposed {
        observer.send(piece)
      }
      if !observer.isDisposed { observer.complete() }
    }
  }
}
