extension String {
  /// The text with codes in place of some Unicode scalars.
  ///
  /// It must not go by characters: a combining mark and what precedes it are one character, which
  /// equals neither.
  func escaping(_ codes: [Unicode.Scalar: String]) -> String {
    var escaped = ""
    for scalar in unicodeScalars {
      if let code = codes[scalar] { escaped += code } else { escaped.unicodeScalars.append(scalar) }
    }
    return escaped
  }
}
