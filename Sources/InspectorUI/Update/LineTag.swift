import TraceModel

/// A name that the user gave to a line of code.
public struct LineTag: Hashable, Sendable {
  /// The name of the program to which the line belongs.
  var program: String
  /// The line of code, such as `subscribe@App/Feed.swift:81:5`.
  var line: String
  /// The name, as typed after `:tag`.
  var name: String

  /// The text between the name and the line of code in the settings file.
  private static let at = " at "
  /// The maximum width of a name, in columns.
  static let longest = 24

  init(program: String, line: String, name: String) {
    (self.program, self.line, self.name) = (Self.key(program), line, name)
  }

  /// Parses `NAME at LINE`; nil for any other text.
  init?(program: String, _ text: String) {
    let parts = text.components(separatedByText: Self.at)
    guard parts.count > 1, let line = parts.last, line.contains("@") else { return nil }
    let name = String(text.dropLast(line.count + Self.at.count))
    guard Self.problem(name) == nil, !program.isEmpty else { return nil }
    self.init(program: program, line: line, name: name)
  }

  /// The line for this tag in the settings file.
  var setting: String { "tag.\(program) = \(name)\(Self.at)\(line)" }

  /// The text that identifies a site in the settings file.
  static func line(_ row: SiteRow) -> String { "\(row.name)@\(row.file):\(row.line):\(row.column)" }

  /// The name of a program, in a form that the settings file can contain.
  static func key(_ program: String) -> String {
    String(program.map { $0.isLetter || $0.isNumber || "-_.+".contains($0) ? $0 : "_" })
  }

  /// A sentence about what is wrong with a name; nil if it is valid.
  static func problem(_ name: String) -> String? {
    if name != displayName(name, columns: longest) {
      return "A tag has at most \(longest) characters that can be shown."
    }
    let signs = name.filter { "#=<>!&|~[]".contains($0) }
    return signs.isEmpty
      ? nil : "A tag must not contain '\(signs)', which filters or settings use as signs."
  }
}

extension String {
  fileprivate func components(separatedByText separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let place = rest.ranges(of: separator).first {
      parts.append(String(rest[..<place.lowerBound]))
      rest = rest[place.upperBound...]
    }
    return parts + [String(rest)]
  }
}

extension Model {
  /// Sets or removes the tag of the selected line of code.
  mutating func tag(_ name: String) {
    guard let site = site(of: selectedScope ?? place.scope),
      let row = inspection.site(site)
    else {
      showNote("There is no line of code here that could be tagged; select one on Map or Sites.")
      return
    }
    if let problem = LineTag.problem(name) {
      showNote(problem, isProblem: true)
      return
    }
    let tag = LineTag(program: inspection.program.name, line: LineTag.line(row), name: name)
    guard tag.setting.count <= Settings.limit, !tag.line.contains("#") else {
      showNote(
        "This line cannot be tagged: the path of its file is too long, or contains '#'.",
        isProblem: true
      )
      return
    }
    let wasTagged = settings.tags.contains(tag)
    settings.tags.removeAll { $0.program == tag.program && $0.line == tag.line }
    if !wasTagged { settings.tags.append(tag) }
    showTags()
    inspectionCount += 1
    showNote(
      wasTagged
        ? "\(row.label) is no longer tagged '\(name)'."
        : "Tagged; \\ tag=\(name) shows only such lines, :write-config saves the tag."
    )
  }

  /// Adds the user's tags to the lines of code of the inspection.
  mutating func showTags() {
    let program = LineTag.key(inspection.program.name)
    let names = Dictionary(
      settings.tags.filter { $0.program == program }.map { ($0.line, $0.name) },
      uniquingKeysWith: { $1 }
    )
    let isTagged = inspection.sites.contains { $0.tag != nil }
    guard !names.isEmpty || isTagged else { return }
    for place in inspection.sites.indices {
      inspection.sites[place].tag = names[LineTag.line(inspection.sites[place])]
    }
  }
}
