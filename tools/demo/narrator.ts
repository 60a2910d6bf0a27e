import { setTimeout as pause } from 'node:timers/promises';
import { fit } from './format.js';

/** The pause in milliseconds after a step, if a person reads the output. */
const READING_TIME = 350;

/** Prints the story, its requests and their answers. */
export class Narrator {
  #chapters = 0;

  constructor(
    private readonly write: (text: string) => void,
    private readonly isRead: boolean,
  ) {}

  async chapter(title: string): Promise<void> {
    await this.#rest();
    const head = `${++this.#chapters}. ${title}`;
    this.write(`\n${head}\n${'='.repeat(head.length)}\n`);
  }

  async says(...lines: readonly string[]): Promise<void> {
    await this.#rest();
    this.write(`\n${lines.join('\n')}\n`);
  }

  asks(method: string, path: string, note = ''): void {
    this.write(`${fit(`  > ${method} ${path}${note === '' ? '' : `   ${note}`}`)}\n`);
  }

  answers(status: number, text: string): void {
    this.write(`${fit(`  < ${status} ${text}`)}\n`);
  }

  shows(...lines: readonly string[]): void {
    for (const line of lines) this.write(`    ${line}\n`);
  }

  async #rest(): Promise<void> {
    if (this.isRead) await pause(READING_TIME);
  }
}
