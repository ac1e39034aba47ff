/// The contents of a line of a log.
struct Entry: Sendable {
  let route: String
  let status: Int
  /// The duration in microseconds.
  let took: Int

  /// Parses a line; nil if it is not a request.
  init?(_ line: String) {
    var fields = line.utf8.split(separator: UInt8(ascii: " ")).makeIterator()
    guard let time = fields.next(), Self.number(time) != nil, fields.next() != nil,
      let route = fields.next(), let status = fields.next().flatMap(Self.number),
      let took = fields.next().flatMap(Self.number)
    else { return nil }
    self.route = String(Substring(route))
    self.status = status
    self.took = took
  }

  private static func number(_ digits: Substring.UTF8View) -> Int? {
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }
}
