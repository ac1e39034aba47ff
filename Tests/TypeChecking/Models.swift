import Reactive

struct SearchError: Error, Equatable { var code = 0 }
struct ParseError: Error, Equatable { var text = "" }
struct User: Sendable, Equatable, Hashable {
  var id = 0, name = "", age = 0, email: String?, tags: [String] = []
}
struct Order: Sendable, Equatable { var id = 0, user = 0, price = 0.0, quantity = 0, item = "" }
struct Item: Sendable, Equatable { var id = 0, title = "", score = 0.0 }
enum Level: String, Sendable, CaseIterable { case low, middle, high }

let background = QueueScheduler.background
func search(_ term: String) -> Signal<[Item], SearchError> { .just([]) }
func suggestions(for term: String) -> Signal<[String], Never> { .just([]) }
func user(_ id: Int) -> Signal<User, SearchError> { .just(User()) }
func parse(_ text: String) throws(ParseError) -> Int {
  guard let number = Int(text) else { throw ParseError(text: text) }
  return number
}
func parseAny(_ text: String) throws -> Int { try parse(text) }
func save(_ user: User) -> Signal<Void, SearchError> { .just(()) }
func show(_ text: String) {}
