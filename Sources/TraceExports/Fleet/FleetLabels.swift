/// The labels of the process that recorded: its service, its machine and its version.
public struct FleetLabels: Sendable, Hashable {
  /// The name of the service, such as `checkout`.
  public var service: String
  /// The name of the machine, such as `web-17`.
  public var host: String
  /// The version of the service, such as `2.4.1`; empty if it is not known.
  public var version: String

  /// Creates labels.
  ///
  /// Each label is the argument, or else the value of OpenTelemetry's variables in the
  /// environments, or else a default: the program as the service, the machine as the host, and an
  /// empty version.
  ///
  /// - Parameters:
  ///   - service: The requested service; nil if none was requested.
  ///   - host: The requested host; nil if none was requested.
  ///   - version: The requested version; nil if none was requested.
  ///   - environments: Closures that each look up a variable in an environment, in order of
  ///     precedence.
  ///   - program: The name of the program.
  ///   - machine: The name of this machine.
  public init(
    service: String? = nil,
    host: String? = nil,
    version: String? = nil,
    environments: [(String) -> String?],
    program: String,
    machine: String
  ) {
    var attributes: [String: String] = [:]
    var named: String?
    for environment in environments {
      let found = Self.attributes(environment("OTEL_RESOURCE_ATTRIBUTES") ?? "")
      if named == nil, let name = environment("OTEL_SERVICE_NAME"), !name.isEmpty { named = name }
      // Within an environment, the variable takes precedence over the attribute. Both take
      // precedence over those of later environments.
      if named == nil { named = found["service.name"] }
      attributes.merge(found) { earlier, _ in earlier }
    }
    self.service = service ?? named ?? (program.isEmpty ? "unknown_service" : program)
    self.host = host ?? attributes["host.name"] ?? machine
    self.version = version ?? attributes["service.version"] ?? ""
  }

  /// Parses resource attributes as OpenTelemetry writes them: `key=value,key=value`, with
  /// percent-encoded values.
  ///
  /// Parts without a key or a value are left out.
  static func attributes(_ text: String) -> [String: String] {
    var attributes: [String: String] = [:]
    for pair in text.split(separator: ",") {
      guard let equal = pair.firstIndex(of: "=") else { continue }
      let key = trimmed(pair[..<equal])
      let value = decoded(trimmed(pair[equal...].dropFirst()))
      if !key.isEmpty, !value.isEmpty { attributes[key] = value }
    }
    return attributes
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
