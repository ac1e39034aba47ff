/// A log as a service would write it, in pieces as they would be read from a file.
struct Log: Sendable {
  /// The number of lines in a piece.
  static let pieceCount = 64

  let pieces: [[String]]

  /// Creates a log, which has the same lines each time.
  init(lines: Int) {
    var state: UInt64 = 0x5EED
    func random(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
    var pieces: [[String]] = []
    var piece: [String] = []
    for number in 0..<lines {
      piece.append(Self.line(number, random))
      if piece.count == Self.pieceCount || number == lines - 1 {
        pieces.append(piece)
        piece = []
      }
    }
    self.pieces = pieces
  }

  /// The first lines of the log.
  func first(_ lines: Int) -> Log {
    var left = lines
    var first: [[String]] = []
    for piece in pieces where left > 0 {
      first.append(piece.count <= left ? piece : Array(piece.prefix(left)))
      left -= piece.count
    }
    return Log(pieces: first)
  }

  private init(pieces: [[String]]) { self.pieces = pieces }

  private static let routes = [
    "/", "/accounts", "/feed", "/health", "/login", "/orders", "/quotes", "/search",
  ]

  /// A request; every 37th line is of another kind, which cannot be parsed.
  private static func line(_ number: Int, _ random: (UInt64) -> Int) -> String {
    let (route, chance, took) = (random(8), random(100), random(40_000))
    if number % 37 == 36 { return "-- \(number) requests, \(chance) connections --" }
    let status = chance < 93 ? 200 : chance < 97 ? 404 : 503
    return "\(1_700_000_000 + number / 50) GET \(routes[route]) \(status) \(took + 150) us"
  }
}
