/** A value that is made when it is first asked for, and only then. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A value for each key, made when it is first asked for. */
export function oncePer<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new Map<Key, T>();
  return key => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as T;
  };
}
