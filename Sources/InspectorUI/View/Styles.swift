public import TraceModel

/// The eight colours that every terminal has.
public enum TerminalColor: Int, CaseIterable, Sendable {
  case black, red, green, yellow, blue, magenta, cyan, white
}

/// How a cell is drawn.
public struct Attributes: Hashable, Sendable {
  /// The colour of the text; nil for the terminal's default.
  public var foreground: TerminalColor?
  /// The colour behind the text; nil for the terminal's default.
  public var background: TerminalColor?
  /// Whether the text is bold, which some terminals show as a brighter colour.
  public var isBold: Bool
  /// Whether the text is dim.
  public var isDim: Bool
  /// Whether foreground and background are exchanged.
  public var isReverse: Bool
  /// Whether the text is underlined.
  public var isUnderlined: Bool

  init(
    _ foreground: TerminalColor? = nil,
    on background: TerminalColor? = nil,
    bold: Bool = false,
    dim: Bool = false,
    reverse: Bool = false,
    underlined: Bool = false
  ) {
    self.foreground = foreground
    self.background = background
    isBold = bold
    isDim = dim
    isReverse = reverse
    isUnderlined = underlined
  }
}

/// Maps roles to attributes.
///
/// Colour is never the only sign of a meaning, so nothing is lost with ``mono``.
public enum Palette: String, CaseIterable, Sendable {
  /// The eight colours, on the terminal's own background.
  case color
  /// No colours, only bold, dim, reverse and underlined text.
  case mono

  /// The attributes of a cell.
  public func attributes(of cell: Cell) -> Attributes {
    var attributes = attributes(of: cell.role)
    guard cell.isSelected else { return attributes }
    switch self {
    case .mono: attributes.isReverse = true
    case .color:
      attributes.background = .blue
      attributes.isDim = false
      attributes.isReverse = false
      if attributes.foreground == nil || attributes.foreground == .blue
        || attributes.foreground == .cyan
      {
        attributes.foreground = .white
      }
      attributes.isBold = true
    }
    return attributes
  }

  /// The attributes of a role in a cell that is not selected.
  public func attributes(of role: Role) -> Attributes {
    self == .color ? colored(role) : plain(role)
  }

  private func colored(_ role: Role) -> Attributes {
    switch role {
    case .text: Attributes()
    case .strong: Attributes(bold: true)
    case .dim, .gone: Attributes(dim: true)
    case .title: Attributes(bold: true)
    case .heading: Attributes(.cyan)
    case .sortedHeading: Attributes(.cyan, bold: true, underlined: true)
    case .bar: Attributes()
    case .activeBar: Attributes(.black, on: .cyan)
    case .key: Attributes(.cyan, bold: true)
    case .good: Attributes(.green)
    case .site: Attributes(.cyan)
    case .info: Attributes(.blue, bold: true)
    case .suspect: Attributes(.yellow)
    case .leak: Attributes(.red, bold: true)
    case .violation: Attributes(.magenta, bold: true)
    case .loss: Attributes(.white, on: .red, bold: true)
    case .match: Attributes(.black, on: .yellow)
    case .message: Attributes(.yellow, bold: true)
    }
  }

  private func plain(_ role: Role) -> Attributes {
    switch role {
    case .text, .bar, .site, .info, .good: Attributes()
    case .strong, .title, .key, .suspect, .message: Attributes(bold: true)
    case .dim, .gone: Attributes(dim: true)
    case .heading: Attributes(underlined: true)
    case .sortedHeading: Attributes(bold: true, underlined: true)
    case .activeBar, .match: Attributes(reverse: true)
    case .leak, .violation: Attributes(bold: true, underlined: true)
    case .loss: Attributes(bold: true, reverse: true)
    }
  }
}
