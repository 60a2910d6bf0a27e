/** The names of members, at any depth, that a value has and its description has not. */
export type UndescribedIn<Value, Description> = unknown extends Description
  ? never
  : Value extends readonly (infer Entry)[]
    ? UndescribedIn<Entry, EntryOf<Description>>
    : Value extends object
      ? {
          [Name in keyof Value]-?: Name extends NamesIn<Description>
            ? UndescribedIn<Value[Name], MemberOf<Description, Name>>
            : Name;
        }[keyof Value]
      : never;

type EntryOf<Description> = Description extends readonly (infer Entry)[] ? Entry : never;
type NamesIn<Description> = Description extends object ? keyof Description : never;
type MemberOf<Description, Name extends PropertyKey> = Description extends {
  readonly [N in Name]?: infer Member;
}
  ? Member
  : never;
