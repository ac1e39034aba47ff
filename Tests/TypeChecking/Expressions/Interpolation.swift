// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(users: Signal<User, Never>) {
  _ = users.map { "\($0.name) (\($0.age))" }
  _ = users.map {
    "\($0.id): \($0.name), \($0.age) years, \($0.email ?? "no mail"), \($0.tags.count) tags"
  }
  _ = users.map { user in "<" + user.name + "> " + "\(user.age)" + (user.email ?? "") + "!" }
  _ = users.map { $0.name + ": " + $0.tags.joined(separator: ", ") }.scan("") { $0 + "\n" + $1 }
}
