// At most 2000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(users: Signal<User, Never>) {
  _ =
    users
    .filter { user in
      let isAdult = user.age >= 18
      let hasMail = user.email != nil
      return isAdult && hasMail
    }
    .map { user in
      let first = user.name.split(separator: " ").first ?? ""
      let domain = user.email?.split(separator: "@").last ?? "none"
      return "\(first)@\(domain)"
    }
    .scan(into: [String: Int]()) { counts, mail in
      let old = counts[mail] ?? 0
      counts[mail] = old + 1
    }
    .map { counts in
      var lines: [String] = []
      for (mail, count) in counts where count > 1 { lines.append("\(mail) \(count)") }
      return lines.sorted()
    }
    .distinctUntilChanged()
    .flatMapLatest { lines in
      let text = lines.joined(separator: "\n")
      return suggestions(for: text)
    }
    .map { list in
      switch list.count {
      case 0: return "none"
      case 1: return list[0]
      default: return "\(list[0]) and \(list.count - 1) more"
      }
    }
    .subscribe { text in
      let line = "> " + text
      print(line)
    }
}
