// At most 500 scopes.

import Reactive

func example(numbers: Signal<Int, Never>) -> Signal<Int, Never> {
  numbers
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
}
