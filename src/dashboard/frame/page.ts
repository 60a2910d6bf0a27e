import type { ComponentChild } from 'preact';
import type { FieldErrors } from '../../http/index.js';

/** What a handler of the dashboard answers with: `PageRendering` makes HTML of it. */
export class Page {
  constructor(
    readonly title: string,
    readonly content: ComponentChild,
    readonly status = 200,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** The same page with what its answer says besides, like when to try again. */
  with(headers: Readonly<Record<string, string>> = {}): Page {
    return new Page(this.title, this.content, this.status, headers);
  }
}

/** What can be told of an act that has been done, on the page that is shown then. */
export const DONE = {
  saved: 'Saved.',
  created: 'Created.',
  removed: 'Removed.',
  advanced: 'The clock is set forward, and what fell due was decided again.',
  begun: 'Begun. It goes on beside everything else; look again for what it finds.',
  revoked: 'The token is deleted. Whatever used it is refused from now on.',
  signed_out: 'You are signed out.',
  password: 'Your password is changed, and every session is ended. Sign in again.',
} as const;
export type Done = keyof typeof DONE;

/** Sends the browser on to another page with GET, so that a reload repeats nothing. */
export class SeeOther {
  readonly location: string;

  constructor(path: string, done?: Done) {
    if (done === undefined) this.location = path;
    else this.location = `${path}${path.includes('?') ? '&' : '?'}done=${done}`;
  }
}

/** A file for the browser to keep, of any length, sent as it is made. */
export class StreamedDownload {
  constructor(
    readonly name: string,
    readonly type: string,
    readonly chunks: AsyncIterable<string>,
  ) {}
}

/** A list as a file that a spreadsheet opens. */
export function csvFile(name: string, chunks: AsyncIterable<string>): StreamedDownload {
  return new StreamedDownload(`${name}.csv`, 'text/csv; charset=utf-8', chunks);
}

/** The fields of a form as they were typed. */
export type FormValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Why a form was refused, and what stood in it. */
export interface Refused {
  /** Which of the page's forms. */
  readonly form: string;
  readonly values: FormValues;
  readonly status: number;
  readonly message: string;
  readonly errors: FieldErrors;
}
