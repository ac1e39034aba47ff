import CReactiveTraceShims
import Glibc

/// Finds the names of the functions of this process at return addresses.
///
/// The names come from the symbol table of the loaded file, which also contains a program's own
/// functions; if the file cannot be read, or is not the one that was loaded, they come from the
/// dynamic symbols. A look-up of new addresses reads the tables of their files, which takes a few
/// milliseconds; results are cached.
package enum FunctionNames {
  /// The function to which control returns, as far as it is known.
  package struct Name: Sendable {
    /// The name as in the symbol table; nil if there is no symbol.
    package var symbol: String? { symbols.first }
    /// The names of all functions that the linker has merged into one because they have the same
    /// code.
    package var symbols: [String] = []
    /// The file name of the executable or library; nil if the address is in neither.
    package var module: String?
    /// The offset of the address in bytes from the address at which the module was loaded.
    package var offset: UInt64 = 0
    /// Whether the module is the program itself.
    package var isProgram = false
  }

  /// Names by address.
  ///
  /// Guarded by ``lock``.
  private nonisolated(unsafe) static var known: [UInt64: Name] = [:]
  private static let lock = Lock()
  /// The cache is cleared when it has more entries than this.
  private static var limit: Int { 1 << 14 }

  /// The names at return addresses, in their order.
  package static func names(at addresses: [UInt64]) -> [Name] {
    if addresses.isEmpty { return [] }
    return lock.withLock {
      let unknown = Set(addresses).filter { known[$0] == nil }
      if !unknown.isEmpty {
        if known.count > limit { known = [:] }
        lookUp(unknown.sorted())
      }
      return addresses.map { known[$0] ?? Name() }
    }
  }

  private static func lookUp(_ addresses: [UInt64]) {
    var rest = addresses[...]
    while let first = rest.first {
      var place = rxt_place()
      // A return address is that of the instruction after the call, which may be in the next
      // function; the byte before it is certainly in the calling function.
      guard first > 0, rxt_find_place(first - 1, &place) != 0 else {
        known[first] = Name()
        rest = rest.dropFirst()
        continue
      }
      let here = rest.prefix { address in
        var other = rxt_place()
        return rxt_find_place(address - 1, &other) != 0 && other.base == place.base
      }
      lookUp(Array(here), in: place)
      rest = rest.dropFirst(here.count)
    }
  }

  /// Looks up addresses of one image (the executable or a library), in ascending order.
  private static func lookUp(_ addresses: [UInt64], in place: rxt_place) {
    let path = path(of: place)
    let isProgram = path.isEmpty
    let symbols = symbols(
      at: addresses.map { $0 - 1 &- place.bias },
      in: isProgram ? "/proc/self/exe" : path,
      place
    )
    for address in addresses {
      var name = Name()
      name.module = isProgram ? program : path.split(separator: "/").last.map(String.init)
      name.offset = address - place.base
      name.isProgram = isProgram
      if let symbol = symbols[address - 1 &- place.bias] {
        name.symbols = symbol.names.map { String(decoding: $0, as: UTF8.self) }
      } else {
        var start: UInt64 = 0
        name.symbols = rxt_dynamic_symbol(address - 1, &start).map { [String(cString: $0)] } ?? []
      }
      known[address] = name
    }
  }

  private static func symbols(
    at addresses: [UInt64],
    in path: String,
    _ place: rxt_place
  ) -> [UInt64: ElfSymbols.Symbol] {
    guard let file = file(of: place, at: path) else { return [:] }
    defer { file.close() }
    return file.symbols(at: addresses)
  }

  /// The file of an image; nil if it is unreadable or not the loaded one.
  private static func file(of place: rxt_place, at path: String) -> ElfSymbols? {
    guard let file = ElfSymbols(path: path) else { return nil }
    let loaded = withUnsafeBytes(of: place.build_id) { Array($0.prefix(Int(place.build_id_size))) }
    if file.buildID() == loaded { return file }
    file.close()
    return nil
  }

  private static func path(of place: rxt_place) -> String {
    withUnsafeBytes(of: place.path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static let program = ProcessIdentity.current().programName

  // MARK: All functions

  /// A range of code of this process.
  package struct Code: Sendable, Equatable {
    /// Its addresses.
    package var range: Range<UInt64>
    /// The function in readable form, or the file name of the image; nil for a function that is not
    /// the program's own.
    package var name: String?
  }

  /// The executable and the libraries of this process, and the functions that may be the program's
  /// own, each in ascending order.
  ///
  /// - Complexity: Reads and demangles the names of all these functions, which takes a few
  ///   milliseconds per thousand functions.
  package static func everything() -> (images: [Code], functions: [Code]) {
    var images: [Code] = []
    var functions: [Code] = []
    for place in places() {
      let path = path(of: place.image)
      let module = path.isEmpty ? program : path.split(separator: "/").last.map(String.init) ?? path
      images.append(Code(range: place.image.base..<place.end, name: module))
      let isSystem = libraries.contains { module.hasPrefix($0.prefix) }
      guard path.isEmpty || !isSystem,
        let file = file(of: place.image, at: path.isEmpty ? "/proc/self/exe" : path)
      else { continue }
      defer { file.close() }
      functions += file.allFunctions().map { function in
        let name = Name(symbols: function.names, module: module, isProgram: path.isEmpty)
        let readable = readable(function.names)
        return Code(
          range: (function.start &+ place.image.bias)..<(function.end &+ place.image.bias),
          name: isMachinery(name, readable: readable) ? nil : readable
        )
      }
    }
    return (
      images.sorted { $0.range.lowerBound < $1.range.lowerBound },
      functions.sorted { $0.range.lowerBound < $1.range.lowerBound }
    )
  }

  private static func places() -> [(image: rxt_place, end: UInt64)] {
    var found: [(base: UInt64, end: UInt64)] = []
    withUnsafeMutablePointer(to: &found) { list in
      rxt_each_image(
        { image, list in
          let image = image.pointee
          guard image.base < image.end_of_text else { return }
          list.assumingMemoryBound(to: [(base: UInt64, end: UInt64)].self).pointee
            .append((image.base, image.end_of_text))
        },
        list
      )
    }
    return found.compactMap { image in
      var place = rxt_place()
      return rxt_find_place(image.base, &place) == 0 ? nil : (place, image.end)
    }
  }

  // MARK: Readable names

  /// The names of one piece of code in readable form: `f()`, or `one of: f(), g()` if it belongs to
  /// several functions.
  ///
  /// The compiler merges functions that differ little, and names the result after one of them; the
  /// linker may merge functions with the same code.
  package static func readable(_ symbols: [String]) -> String {
    var (names, hasOthers) = ([String](), false)
    for symbol in symbols {
      var name = readable(symbol)
      if name.hasPrefix("merged ") { name.removeFirst("merged ".count) }
      if isMerged(symbol) { hasOthers = true }
      if !names.contains(where: { isSame($0, name) }) { names.append(name) }
    }
    // The package manager adds a second name for the main function of each executable.
    if names.contains("main") { names.removeAll { $0.hasSuffix("_main") } }
    return readable(oneOf: names, andOthers: hasOthers)
  }

  /// The name of code that belongs to several functions.
  package static func readable(oneOf names: [String], andOthers hasOthers: Bool) -> String {
    if names.count < 2, !hasOthers { return names.first ?? "" }
    let shown = names.sorted().prefix(4).joined(separator: ", ")
    let more = names.count > 4 ? " and \(names.count - 4) more" : ""
    return "one of: \(shown)\(more)\(hasOthers ? ", or another that was merged with it" : "")"
  }

  /// Whether the compiler has merged several functions into this one.
  package static func isMerged(_ symbol: String) -> Bool {
    symbol.hasPrefix("$s") && symbol.hasSuffix("Tm")
  }

  /// Whether two C names differ at most in leading underscores, as do some in the system's
  /// libraries.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    left.drop { $0 == "_" } == right.drop { $0 == "_" }
  }

  /// The name in readable form, without the compiler's additions.
  package static func readable(_ symbol: String) -> String {
    guard let text = rxt_demangle(symbol, symbol.utf8.count) else { return symbol }
    defer { free(text) }
    var name = Substring(String(cString: text))
    for prefix in ["partial apply for ", "partial apply forwarder for "]
    where name.hasPrefix(prefix) {
      name = name.dropFirst(prefix.count)
    }
    // `(1) await resume partial function for`: the rest of a function after its first `await`.
    if name.first == "(", let end = name.firstRange(of: " resume partial function for ") {
      name = name[end.upperBound...]
    }
    // The demangled name of a closure in top-level code ends with "in", without a function's name.
    return name.hasSuffix(" in ") ? name + "main" : String(name)
  }

  /// Whether a function belongs to the library, the runtime or the system rather than to the
  /// program.
  package static func isMachinery(_ name: Name, readable: String) -> Bool {
    if !name.isProgram {
      let module = name.module ?? ""
      return libraries.contains { module.hasPrefix($0.prefix) }
    }
    guard let symbol = name.symbol else { return false }
    if symbol == "_start" || readable.hasPrefix("thunk for ") { return true }
    // A program's extension of a library's type belongs to the program.
    if symbol.hasPrefix("$s"), readable.contains("(extension in ") { return false }
    return machinery.contains { symbol.hasPrefix($0) } || ToolchainNames.contains(symbol)
  }

  /// The prefixes of the file names of libraries that belong to Swift or the system, with the
  /// readable name of the owner; the first match counts.
  package static let libraries: [(prefix: String, owner: String)] = [
    ("libFoundation", "Foundation"), ("lib_Foundation", "Foundation"), ("libdispatch", "Dispatch"),
    ("libswiftDispatch", "Dispatch"), ("libBlocksRuntime", "Dispatch"), ("libswift", "Swift"),
    ("lib_", "Swift"), ("libc.", "the system"), ("libpthread", "the system"),
    ("libm.", "the system"), ("ld-", "the system"), ("libstdc++", "the system"),
    ("libgcc", "the system"),
  ]

  /// The prefixes of mangled names of modules that are not the program's.
  private static let machinery =
    [
      "Reactive", "ReactiveTrace", "ReactiveTesting", "Dispatch", "Foundation", "Logging",
      "Synchronization", "ReactiveNIO", "NIOCore", "NIOPosix", "NIOEmbedded",
    ]
    .map { "$s\($0.utf8.count)\($0)" } + ["$ss", "$sS", "$sytIeg", "$sIeg", "rxt_"]
}

extension Substring {
  fileprivate func firstRange(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}
