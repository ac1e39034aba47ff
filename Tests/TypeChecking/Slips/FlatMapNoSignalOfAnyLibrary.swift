// What the compiler says of a closure that returns no signal, it says of any type with such a method.
struct Box<Value> {
  func flatMap<Inner>(_ transform: (Value) -> Box<Inner>) -> Box<Inner> { Box<Inner>() }
}

func slip(box: Box<Int>, user: User) {
  _ = box.flatMap { _ in user }
}
