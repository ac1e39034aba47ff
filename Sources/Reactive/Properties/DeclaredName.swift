import Synchronization

extension PropertyStorage: Declaration {
  /// Stores which `@Observed` property of the program this storage belongs to, and names the
  /// property's signal in the trace, unless the property is known already.
  ///
  /// The name is composed only if something is recorded, or when ``declaredName`` is read.
  func isDeclared(as path: AnyKeyPath, _ signal: Signal<Value, Never>) {
    guard case .declared = signal.node.argument, declaration.load(ordering: .relaxed) == 0 else {
      return
    }
    let retained = Unmanaged.passRetained(path)
    let isFirst =
      declaration.compareExchange(
        expected: 0,
        desired: UInt(bitPattern: retained.toOpaque()),
        ordering: .acquiringAndReleasing
      ).exchanged
    guard isFirst else { return retained.release() }
    signal.recordName(declaredName)
  }

  @usableFromInline var declaredName: String? {
    guard let path = UnsafeRawPointer(bitPattern: declaration.load(ordering: .acquiring)) else {
      return nil
    }
    // For example `\Login._username`; `\Login.<offset 16 (String)>` if the program does not contain
    // the names of its properties.
    let text = "\(Unmanaged<AnyKeyPath>.fromOpaque(path).takeUnretainedValue())"
    guard text.hasPrefix("\\"), let point = text.lastIndex(of: "."),
      text[point...].hasPrefix("._")
    else { return nil }
    return text[..<point].dropFirst() + "." + text[point...].dropFirst(2)
  }
}
