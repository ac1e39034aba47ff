/// Recognizes functions of the toolchain in a program that is linked with `-static-stdlib`: in such
/// a program, only the name of a function shows which library it belongs to.
package enum ToolchainNames {
  /// The prefixes of C and C++ names, mangled or not, after leading underscores, with the readable
  /// name of the owner.
  private static let prefixes: [(prefix: String, owner: String)] = [
    ("dispatch_", "Dispatch"), ("Block_", "Dispatch"), ("swift_", "Swift"), ("swift::", "Swift"),
    ("CFRunLoop", "Foundation"), ("CFRUNLOOP", "Foundation"), ("CFThread", "Foundation"),
  ]

  /// The owner of a C or C++ function, by its readable or mangled name; nil if that is unknown.
  package static func owner(ofFunction name: some StringProtocol) -> String? {
    // The mangled names of the runtime's functions, even static ones, contain its namespace, or a
    // type from it.
    if name.hasPrefix("_Z") { return name.contains("5swift") ? "Swift" : nil }
    let core = name.drop { $0 == "_" }
    if let found = prefixes.first(where: { core.hasPrefix($0.prefix) }) { return found.owner }
    return name.contains("(swift::") ? "Swift" : nil
  }

  /// Whether a function, by its mangled name, belongs to Swift's libraries.
  package static func contains(_ symbol: String) -> Bool {
    let modules = [
      "$s20FoundationEssentials", "$s22_Foundation", "$s30FoundationInternationalization",
    ]
    return modules.contains { symbol.hasPrefix($0) } || owner(ofFunction: symbol) != nil
  }
}
