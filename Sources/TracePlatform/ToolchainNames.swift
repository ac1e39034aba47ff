/// Functions of the toolchain in the file of a program that is linked with `-static-stdlib`: their names alone tell whose they are.
package enum ToolchainNames {
  /// How names of C and C++ begin, mangled or not, behind the underscores that they begin with, and what people call whose they are.
  private static let prefixes: [(prefix: String, owner: String)] = [
    ("dispatch_", "Dispatch"), ("Block_", "Dispatch"), ("swift_", "Swift"), ("swift::", "Swift"),
    ("CFRunLoop", "Foundation"), ("CFRUNLOOP", "Foundation"), ("CFThread", "Foundation"),
  ]

  /// Whose a function of C or C++ is, by its name as people or the compiler write it; nil where that says nothing.
  package static func owner(ofFunction name: some StringProtocol) -> String? {
    // What the runtime has static, or in a namespace, has one of its types.
    if name.hasPrefix("_Z") { return name.contains("5swift") ? "Swift" : nil }
    let core = name.drop { $0 == "_" }
    if let found = prefixes.first(where: { core.hasPrefix($0.prefix) }) { return found.owner }
    return name.contains("(swift::") ? "Swift" : nil
  }

  /// Whether a function, by its mangled name, is of Swift's libraries.
  package static func contains(_ symbol: String) -> Bool {
    let modules = [
      "$s20FoundationEssentials", "$s22_Foundation", "$s30FoundationInternationalization",
    ]
    return modules.contains { symbol.hasPrefix($0) } || owner(ofFunction: symbol) != nil
  }
}
