// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>, failing: Signal<Int, SearchError>) async throws {
  for await number in numbers.map({ $0 + 1 }).filter({ $0 > 1 }).values { print(number) }
  for try await number in failing.map({ $0 * 2 }).values { print(number) }
  let first = try await failing.filter { $0 > 10 }.first() ?? 0
  let all = await numbers.take(3).values.collect()
  let sum = await numbers.take(3).reduce(0, +).last() ?? 0
  print(first, all.map { $0 + 1 }, sum)
  do throws(SearchError) {
    for try await name in failing.flatMap({ user($0) }).map({ $0.name }).values { show(name) }
  } catch {
    print(error.code)
  }
}
