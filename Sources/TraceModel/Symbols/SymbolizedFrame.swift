/// One function on an asynchronous backtrace.
public struct SymbolizedFrame: Sendable, Equatable {
  /// The recorded return address.
  public var address: UInt64
  /// The demangled name of the function; nil if there is no symbol.
  public var function: String?
  /// `Sources/App/Feed.swift:81`; nil without debug information.
  public var location: String?
  /// Whether the compiler inlined the function into that of the next frame.
  public var isInlined = false
  /// The executable or library, such as `app`; nil for an address outside all of them.
  public var module: String?
  /// The distance in bytes from the load address of the module.
  public var offset: UInt64 = 0
  /// Why symbols are missing; nil if they are not.
  public var problem: String?

  /// `function at File.swift:81`, `function in libFoundation.so` if a library provides no more, or
  /// `module+0x1f3c` and the reason.
  public var text: String { shortText + (problem.map { " (\($0))" } ?? "") }

  /// The same as ``text``, but without the reason why symbols are missing.
  public var shortText: String {
    var text = function ?? place
    if let location {
      text += " at \(location)"
    } else if function != nil, let module, module.hasPrefix("lib") || module.hasPrefix("ld-") {
      text += " in \(module)"
    }
    if isInlined { text += " [inlined]" }
    return text
  }

  private var place: String {
    guard let module else { return "0x\(String(address, radix: 16))" }
    return "\(module)+0x\(String(offset, radix: 16))"
  }
}
