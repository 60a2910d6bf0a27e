/**
 * Measures how plain the texts are: `npm run words`. Prints the words, the mean length of sentences and the long lines of the
 * documents, and counts first words of the comments in src.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LONG_LINE = 400;
/** Bounds of `npm run words -- --check` for all documents written by hand. */
const MOST_WORDS = 30_000;
const LONGEST_MEAN = 17;
const isCheck = process.argv.includes('--check');
/** The beginning of a generated document. */
const GENERATED = '<!-- Made from';
/** First words that hide the subject of a sentence (CONTRIBUTING.md). */
const HIDING = ['Of', 'What', 'Who', 'Where', 'Whoever'];

const listed = (...patterns) =>
  execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n');

/** The text of a document without code, tables, headings and link targets. */
function proseOf(text) {
  return text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/^\|.*$/gm, '')
    .replace(/^#+ .*$/gm, '')
    .replace(/^\s*([-*]|\d+\.) /gm, '\n\n')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

const wordsOf = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

function sentencesOf(text) {
  return proseOf(text)
    .split(/\n\s*\n|(?<=[.!?])\s+(?=[\p{Lu}`"“])/u)
    .map(wordsOf)
    .filter((length) => length > 2);
}

function documents() {
  const files = listed('README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md', 'docs/**/*.md');
  const read = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const rows = read
    .filter(({ text }) => !text.startsWith(GENERATED))
    .map(({ file, text }) => {
      const sentences = sentencesOf(text);
      const mean = sentences.reduce((sum, length) => sum + length, 0) / (sentences.length || 1);
      return {
        file,
        words: wordsOf(text),
        'mean sentence': Number(mean.toFixed(1)),
        'longest sentence': Math.max(0, ...sentences),
        'long lines': text.split('\n').filter((line) => line.length > LONG_LINE && !line.startsWith('|'))
          .length,
        sentences: sentences.length,
      };
    });
  if (!isCheck) console.table(rows);
  const all = rows.reduce((sum, row) => sum + row.sentences, 0);
  const mean = rows.reduce((sum, row) => sum + row['mean sentence'] * row.sentences, 0) / all;
  const words = rows.reduce((sum, row) => sum + row.words, 0);
  console.log(`Documents: ${words} words, mean sentence ${mean.toFixed(1)}.`);
  if (!isCheck) return;
  const long = rows
    .filter((row) => row['long lines'] > 0)
    .map(({ file }) => `${file} has a line of over ${LONG_LINE} characters.`);
  if (words > MOST_WORDS) long.push(`More than ${MOST_WORDS} words.`);
  if (mean > LONGEST_MEAN) long.push(`The mean sentence has more than ${LONGEST_MEAN} words.`);
  for (const fault of long) console.error(fault);
  if (long.length > 0) process.exitCode = 1;
}

function comments() {
  const firsts = new Map();
  let all = 0;
  for (const file of listed('src/*.ts', 'src/**/*.ts', 'src/**/*.tsx')) {
    if (file.includes('/generated/')) continue;
    const text = readFileSync(file, 'utf8');
    for (const [, first] of text.matchAll(/(?:\/\*\*\s+(?:\* )?|(?<!\/\/ .*\n\s*)\/\/ )([A-Z@][\p{L}]*)/gu)) {
      all += 1;
      firsts.set(first, (firsts.get(first) ?? 0) + 1);
    }
  }
  const hiding = HIDING.map((word) => `${word} ${firsts.get(word) ?? 0}`).join(', ');
  const share = HIDING.reduce((sum, word) => sum + (firsts.get(word) ?? 0), 0) / all;
  console.log(`Comments: ${all}; ${(share * 100).toFixed(1)} % begin with ${hiding}.`);
}

documents();
if (!isCheck) comments();
