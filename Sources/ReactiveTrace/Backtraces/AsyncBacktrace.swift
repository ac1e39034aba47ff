import TracePlatform

/// Where code runs, and which code scheduled it, across queues, timers, tasks and actors.
///
/// ```swift
/// orders.subscribe(failed: { error in
///   log("\(error)\n\(AsyncBacktrace.current)")
/// })
/// ```
///
/// prints, below the error,
///
/// ```
/// closure #1 in closure #1 in Shop.open()
/// … asynchronously invoked from:
/// Warehouse.reserve(_:)
/// closure #1 in Shop.open()
/// … asynchronously invoked from:
/// Shop.open()
/// main
/// ```
///
/// The first part is the stack of the code that called ``current``. Each further part is the stack
/// that requested the work in which the part before it ran. A backtrace is only available while a
/// trace is recorded with stacks at hops, as with `RXTRACE=1`; otherwise it is empty, and
/// ``explanation`` says why. A part has at most 64 addresses. A backtrace has at most 16 parts
/// after the first one; if older parts were dropped, ``isCut`` is true.
///
/// Taking a backtrace costs about a microsecond. Names are looked up on demand, once for each
/// address, which takes a few milliseconds. `rxtop` finds the same parts in the trace, and also
/// shows files and lines.
public struct AsyncBacktrace: Sendable {
  /// One function on a stack.
  public struct Frame: Sendable, Hashable {
    /// The return address in the function.
    public let address: UInt64
    /// The function, demangled; nil if there is no symbol, for example in a stripped program.
    public let function: String?
    /// The executable or library, such as `app`; nil if the address is in none.
    public let module: String?
    /// The offset of ``address`` in bytes from the address at which the module was loaded.
    public let offset: UInt64
    /// Whether the function belongs to Reactive, the runtime or the system rather than to the
    /// program.
    public let isMachinery: Bool
  }

  /// One stack.
  public struct Part: Sendable, Hashable {
    /// The functions, innermost first.
    public let frames: [Frame]
    /// The scheduler to which this stack passed the work of the preceding part, or the kind of
    /// request, such as `DispatchQueue.async`; nil for the first part, and if neither is known.
    public let scheduler: String?
    /// Whether the work had scheduled itself from this stack before, once or more.
    public let isRepeated: Bool
  }

  /// A stack without names.
  struct Stack: Sendable {
    var addresses: [UInt64]
    var scheduler: String?
    var isRepeated = false
  }

  let stacks: [Stack]

  /// Whether older parts were dropped, because there would be more than 16 after the first one.
  public let isCut: Bool

  /// Why the backtrace is empty; nil if it is not.
  public let explanation: String?

  /// Which hops cannot be recorded in this program, and why; nil if all can, as in programs that
  /// are not linked with `-static-stdlib`.
  public let unseen: String?

  init(_ stacks: [Stack], isCut: Bool = false, unseen: String? = nil) {
    self.stacks = stacks
    self.isCut = isCut
    self.unseen = unseen
    explanation = nil
  }

  init(emptyBecause explanation: String) {
    stacks = []
    isCut = false
    unseen = nil
    self.explanation = explanation
  }

  /// The stacks, newest first; empty for the reason given in ``explanation``.
  ///
  /// - Complexity: Looks up names, which takes a few milliseconds the first time.
  public var parts: [Part] {
    let names = FunctionNames.names(at: stacks.flatMap(\.addresses))
    var next = names.startIndex
    return stacks.map { stack in
      let frames = stack.addresses.map { address in
        defer { next += 1 }
        return Frame(address, names[next])
      }
      return Part(frames: frames, scheduler: stack.scheduler, isRepeated: stack.isRepeated)
    }
  }

  /// The functions of all parts, newest first.
  ///
  /// - Complexity: The same as that of ``parts``.
  public var frames: [Frame] { parts.flatMap(\.frames) }

  /// The line between two parts.
  static let separator = "… asynchronously invoked from:"
}

extension AsyncBacktrace: CustomStringConvertible, CustomDebugStringConvertible {
  /// One line for each function, without those of Reactive, the runtime and the system; if the
  /// backtrace is empty, the ``explanation``.
  public var description: String { text { $0.frames.filter { !$0.isMachinery } } }

  /// One line for each function; if the backtrace is empty, the ``explanation``.
  public var debugDescription: String { text(\.frames) }

  private func text(_ shown: (Part) -> [Frame]) -> String {
    if let explanation { return explanation }
    var lines: [String] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { lines.append(Self.separator) }
      let frames = shown(part)
      // If none of the frames belongs to the program, shows up to three others.
      lines += (frames.isEmpty ? Array(part.frames.prefix(3)) : frames).map(\.description)
      if part.isRepeated { lines.append("… and again from there, once or more") }
    }
    if isCut { lines.append("… older parts were not kept") }
    if let unseen { lines.append("… \(unseen)") }
    return lines.joined(separator: "\n")
  }
}

extension AsyncBacktrace.Frame: CustomStringConvertible {
  init(_ address: UInt64, _ name: FunctionNames.Name) {
    self.address = address
    function = name.symbols.isEmpty ? nil : FunctionNames.readable(name.symbols)
    module = name.module
    offset = name.offset
    isMachinery = FunctionNames.isMachinery(
      name,
      readable: name.symbol.map { FunctionNames.readable($0) } ?? ""
    )
  }

  /// The name of the function; if there is no symbol, a module and an offset such as
  /// `module+0x1f3c`.
  public var description: String {
    if let function { return function }
    guard let module else { return "0x\(String(address, radix: 16))" }
    return "\(module)+0x\(String(offset, radix: 16))"
  }
}
