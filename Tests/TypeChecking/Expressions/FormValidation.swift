// At most 300 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(
  name: Signal<String, Never>,
  mail: Signal<String, Never>,
  password: Signal<String, Never>,
  again: Signal<String, Never>,
  terms: Signal<Bool, Never>
) {
  let isValid = combineLatest(name, mail, password, again, terms) {
    name,
    mail,
    password,
    again,
    terms in
    !name.isEmpty && mail.contains("@") && password.count >= 8 && password == again && terms
  }
  _ = isValid.distinctUntilChanged().map { $0 ? "go" : "wait" }
  _ = combineLatest(
    name.map { !$0.isEmpty },
    mail.map { $0.contains("@") },
    password.map { $0.count >= 8 }
  )
  .map { $0 && $1 && $2 }
}
