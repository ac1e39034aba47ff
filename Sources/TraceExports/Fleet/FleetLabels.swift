/// What a company calls the process that recorded: its service, the machine, and the version.
public struct FleetLabels: Sendable, Hashable {
  /// As `checkout`.
  public var service: String
  /// As `web-17`.
  public var host: String
  /// As `2.4.1`; empty where nobody has said it.
  public var version: String

  /// Labels from the first place that has each: what was asked for, the usual variables of OpenTelemetry in some environments, and
  /// what the recording and the machine say.
  ///
  /// - Parameters:
  ///   - service: As asked for; nil where nothing was.
  ///   - host: The same.
  ///   - version: The same.
  ///   - environments: Look up a variable each, the first that counts first.
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
      // The variable comes before the attribute, of one environment and of all.
      if named == nil { named = found["service.name"] }
      attributes.merge(found) { earlier, _ in earlier }
    }
    self.service = service ?? named ?? (program.isEmpty ? "unknown_service" : program)
    self.host = host ?? attributes["host.name"] ?? machine
    self.version = version ?? attributes["service.version"] ?? ""
  }

  /// `key=value,key=value`, with values percent-encoded, as OpenTelemetry has resource attributes; what is neither is left out.
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
