/** A value that is made when it is first asked for: big tables cost a start nothing where nobody looks into them. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
