import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** From 0 to 4; 3 means at least 10^8 guesses. */
const LEAST_SCORE = 3;
/** The first characters, which are checked. 32 take 15 to 40 ms, 100 up to 250 ms. */
const CHECKED_CHARACTERS = 32;

let loading: Promise<ZxcvbnFactory> | undefined;

/**
 * True if a password is common or easily guessed (zxcvbn, decisions §6). The first call loads the dictionaries, which
 * takes half a second and 40 MB.
 * @param known facts about the owner, such as the e-mail
 */
export async function isGuessable(password: string, known: readonly string[]): Promise<boolean> {
  const zxcvbn = await (loading ??= load());
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter(Boolean);
  return (
    zxcvbn.check(password.slice(0, CHECKED_CHARACTERS), [...words, 'storage', 'access']).score < LEAST_SCORE
  );
}

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs: graphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs });
}
