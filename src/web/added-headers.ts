import type { Response } from 'express';
import type { AnswerHeaders } from '#kernel/rate-limiter.js';

/** Headers that the guard and handlers add to an answer before there is one. The answer, or an error, carries them. */
export class AddedHeaders implements AnswerHeaders {
  readonly #values = new Map<string, string | readonly string[]>();

  setHeader(name: string, value: string): void {
    this.#values.set(name, value);
  }

  /** For a header that an answer may have several times. */
  append(name: string, value: string): void {
    this.#values.set(name, [this.#values.get(name) ?? [], value].flat());
  }

  remove(name: string): void {
    this.#values.delete(name);
  }

  addTo(response: Response): void {
    for (const [name, value] of this.#values) response.setHeader(name, value);
  }
}
