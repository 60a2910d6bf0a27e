/** The words by which somebody asks for an act, before what it is to be done with. */
const ACT_WORDS = ['let in', 'lock out', 'move in', 'move out', 'call', 'text'] as const;
export type ActWords = (typeof ACT_WORDS)[number];

const ASKED = new RegExp(`^(${ACT_WORDS.join('|')})\\s+(\\S.*)$`, 'i');

/** `let in B147` as `let in` and `B147`. Without words of an act, all is the rest. */
export function wordsIn(text: string): { readonly words: ActWords | undefined; readonly rest: string } {
  const [, words, rest = text] = ASKED.exec(text) ?? [];
  return { words: words?.toLowerCase() as ActWords | undefined, rest };
}

/** True for the words of an act without what it is to be done with. */
export function namesActAlone(text: string): boolean {
  return ACT_WORDS.some((words) => words === text.trim().toLowerCase());
}

export const NAME_IT = 'Name the unit or the tenant, too, as in “let in B-147”.';
