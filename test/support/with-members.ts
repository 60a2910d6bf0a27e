/** The same object with other members in the place of its own; whatever else is called is called on the object itself. */
export function withMembers<T extends object>(whole: T, members: Partial<T>): T {
  return new Proxy(whole, {
    get(target, name) {
      const value: unknown = Reflect.get(name in members ? members : target, name);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}
