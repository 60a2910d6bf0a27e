import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseShell, readCurl, type Statement } from './shell.js';
import { differences } from './shown.js';

export interface Block {
  readonly language: string;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

/** The fenced blocks of a Markdown text, in order. */
export function fencedBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  for (const match of markdown.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)) {
    const line = markdown.slice(0, match.index).split('\n').length;
    blocks.push({ language: match[1]!, text: match[2]!, line });
  }
  return blocks;
}

/** The place in which a walkthrough is played. */
export interface Scene {
  readonly url: string;
  readonly data_dir: string;
  /** The password that the first start printed. */
  readonly password: string;
}

/** One step: a line that was played or an answer that was compared, and what was wrong with it. */
export interface Step {
  readonly title: string;
  readonly faults: readonly string[];
}

/**
 * Plays a document's `bash` blocks as a reader would and holds the answers to what it says: the status in the comment
 * of each request, and the `json` block that follows. Blocks marked `sh` are not played.
 *
 * As `scripts/steps.sh` does, `$(answer data.member)` takes a value from the answer before, and `$(sms_code)` the last code. The password is
 * known by its wording.
 */
export class Walkthrough {
  readonly steps: Step[] = [];
  readonly #variables: Record<string, string>;
  #lastAnswer: unknown;

  constructor(private readonly scene: Scene) {
    this.#variables = { DATA_DIR: scene.data_dir };
  }

  async play(blocks: readonly Block[]): Promise<void> {
    for (const { language, text, line } of blocks) {
      if (language === 'json') this.#compare(JSON.parse(text), line);
      if (language !== 'bash') continue;
      for (const read of parseShell(text, () => this.#variables)) await this.#run(read(), line);
    }
  }

  #compare(shown: unknown, line: number): void {
    this.#done(`the answer shown in line ${line}`, differences(shown, this.#lastAnswer));
  }

  async #run({ words, comment }: Statement, line: number): Promise<void> {
    const [command, ...rest] = words;
    if (command === 'curl') return this.#request(words, comment);
    if (command === 'export') return this.#set(rest.join(' '), comment);
    if (command === '.') return this.#done(`. ${rest.join(' ')}`, []);
    this.#done(`line ${line}`, [`nobody knows how to play ${words.join(' ')}`]);
  }

  async #request(words: readonly string[], comment: string): Promise<void> {
    const { url, method, headers, body } = readCurl(words);
    const response = await fetch(url, { method, headers, body });
    const text = await response.text();
    this.#lastAnswer = JSON.parse(text);
    const title = `${method} ${url.replace(this.scene.url, '')}`;
    const expected = Number(/^\d{3}$/.exec(comment)?.[0]);
    this.#done(title, response.status === expected ? [] : [`answered ${response.status}: ${text}`]);
  }

  async #set(assignment: string, comment: string): Promise<void> {
    const [, name, value = ''] = /^([A-Z_]+)=(.*)$/.exec(assignment) ?? [];
    const found = name === 'BASE' ? this.scene.url : await this.#value(value, comment);
    if (name !== undefined && found !== undefined) this.#variables[name] = found;
    this.#done(`export ${assignment}`, found === undefined ? [`has no value: ${value}`] : []);
  }

  async #value(source: string, comment: string): Promise<string | undefined> {
    if (source === '…' && comment.startsWith('printed at the first start')) return this.scene.password;
    if (source === '$(sms_code)') return this.#code();
    const [, path] = /^\$\(answer (data[.\w]*)\)$/.exec(source) ?? [];
    return path === undefined ? undefined : this.#valueOfAnswer(path);
  }

  #valueOfAnswer(path: string): string | undefined {
    const inside = (outer: unknown, name: string) => (outer as Record<string, unknown> | null)?.[name];
    const found = path.split('.').reduce<unknown>(inside, this.#lastAnswer);
    return typeof found === 'string' ? found : undefined;
  }

  async #code(): Promise<string | undefined> {
    const messages = await readFile(join(this.scene.data_dir, 'sms-outbox.ndjson'), 'utf8');
    const { body } = JSON.parse(messages.trim().split('\n').at(-1)!) as { body: string };
    return /\b\d{6}\b/.exec(body)?.[0];
  }

  #done(title: string, faults: readonly string[]): void {
    this.steps.push({ title, faults });
  }
}
