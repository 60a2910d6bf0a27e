import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Least score, of 0 to 4: at least 10^8 guesses. */
const LEAST_SCORE = 3;
/** Characters that are checked, from the beginning. 32 take 15 to 40 ms, 100 up to 250 ms. */
const LOOKED_AT = 32;

let loading: Promise<ZxcvbnFactory> | undefined;

/**
 * Whether a password is common or easily guessed (zxcvbn, decisions §6). The dictionaries are loaded when this is first
 * asked: they take half a second and 40 MB.
 * @param known what others know of its owner, such as the e-mail
 */
export async function isGuessable(password: string, known: readonly string[]): Promise<boolean> {
  const zxcvbn = await (loading ??= load());
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter(Boolean);
  return zxcvbn.check(password.slice(0, LOOKED_AT), [...words, 'storage', 'access']).score < LEAST_SCORE;
}

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs: graphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs });
}
