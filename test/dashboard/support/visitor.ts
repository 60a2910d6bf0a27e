import type { Answer } from '../../support/http-client.js';
import type { Service } from '../../support/service.js';

const EMAIL = 'ada@example.com';
export const PASSWORD = 'correct horse battery staple';

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A page as a browser has it in front of it. */
export interface Shown {
  readonly path: string;
  readonly status: number;
  readonly html: string;
  readonly headers: Answer['headers'];
}

/** Somebody with a browser that runs no script: keeps cookies, follows redirects, fills in the forms that a page has. */
export class Visitor {
  readonly #cookies = new Map<string, string>();
  shown: Shown = { path: '', status: 0, html: '', headers: {} };

  constructor(readonly service: Service) {}

  /** One who has signed in, as the first operator unless told otherwise. */
  static async signedIn(service: Service, email = EMAIL, password = PASSWORD): Promise<Visitor> {
    const visitor = new Visitor(service);
    await visitor.visit('/dashboard/sign-in');
    await visitor.submit('sign-in', { email, password });
    return visitor;
  }

  /** A new operator, signed in. */
  static async of(
    service: Service,
    role: 'admin' | 'manager' | 'auditor',
    companies: readonly string[] | null = null,
  ): Promise<Visitor> {
    const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`;
    const body = { email, password: PASSWORD, role, companies };
    await service.addOperator(body);
    return Visitor.signedIn(service, email);
  }

  get html(): string {
    return this.shown.html;
  }

  /** The page as it is read. */
  get text(): string {
    const body = this.html.replace(/^.*<main/s, '<main');
    return unescape(body.replace(/<(?:"[^"]*"|[^">])*>/g, ' ')).replace(/\s+/g, ' ');
  }

  get links(): string[] {
    return [...this.html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => unescape(href!));
  }

  /** As the header `Cookie` has them. */
  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get forms(): string[] {
    return [...this.html.matchAll(/id="form-([^"]*)"/g)].map(([, name]) => name!);
  }

  visit(path: string, headers: Record<string, string> = {}): Promise<Shown> {
    return this.#go('get', path, undefined, headers);
  }

  /** Sends a form of the page in front with these fields, the others as they stand in it. */
  async submit(form: string, fields: Fields = {}): Promise<Shown> {
    const { action, values } = this.form(form);
    return this.post(action, { ...values, ...fields });
  }

  /** Goes where the page in front leads by itself, if that is a page of the service. */
  async follow(): Promise<Shown> {
    const path = this.refresh;
    if (!path.startsWith('/')) throw new Error(`${this.shown.path} leads to ${path}.`);
    return this.visit(path);
  }

  /** Where the page in front leads by itself. */
  get refresh(): string {
    const { refresh } = this.shown.headers;
    if (typeof refresh !== 'string') throw new Error(`${this.shown.path} leads nowhere by itself.`);
    return refresh.replace(/^0; url=/, '');
  }

  post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Shown> {
    const own = { Origin: `http://127.0.0.1:${this.service.port}`, 'Sec-Fetch-Site': 'same-origin' };
    return this.#go('post', path, encode(fields), { ...own, ...headers });
  }

  /** Values in a form of the present page. */
  form(name: string): { action: string; values: Record<string, string | string[]> } {
    const found = new RegExp(`<form[^>]*id="form-${name}"[^>]*>.*?</form>`, 's').exec(this.html)?.[0];
    if (found === undefined) throw new Error(`${this.shown.path} has no form ${name}: ${this.forms.join()}`);
    const values: Record<string, string | string[]> = {};
    const elsewhere = this.html.match(new RegExp(`<input[^>]* form="form-${name}"[^>]*>`, 'g')) ?? [];
    const inputs = inputsOf([...elsewhere, found].join());
    for (const [field, value] of [...inputs, ...selectsOf(found), ...textsOf(found)]) {
      values[field] = field in values ? [values[field]!, value].flat() : value;
    }
    return { action: attribute(found, 'action')!, values };
  }

  async #go(
    method: 'get' | 'post',
    path: string,
    body: string | undefined,
    given: Record<string, string>,
  ): Promise<Shown> {
    const { cookies: cookie } = this;
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const headers = {
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...(body === undefined ? {} : type),
      ...given,
    };
    const { port } = this.service;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const html = await answer.text();
    this.shown = { path, status: answer.status, html, headers: Object.fromEntries(answer.headers) };
    const location = answer.headers.get('location');
    // An address elsewhere is for the test to follow.
    if (answer.status !== 303 || location === null || !location.startsWith('/')) return this.shown;
    return this.#go('get', location, undefined, {});
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const [name = '', value = ''] = pair.split('=');
    if (/Max-Age=0\b/.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

function encode(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) form.append(name, one);
  return form.toString();
}

const INPUT = /<input(?:"[^"]*"|[^">])*>/g;
const OPTION = /<option(?:"[^"]*"|[^">])*>/g;

/** Values that fields send. A box or a radio button sends one only if it is ticked. */
function inputsOf(form: string): [name: string, value: string][] {
  return [...form.matchAll(INPUT)].flatMap(([tag]) => {
    const isOff = /^(checkbox|radio)$/.test(attribute(tag, 'type') ?? '') && !/ checked\b/.test(tag);
    const name = attribute(tag, 'name');
    return isOff || name === undefined ? [] : [[name, attribute(tag, 'value') ?? '']];
  });
}

function selectsOf(form: string): [name: string, value: string][] {
  return [...form.matchAll(/<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs)].map(([, name, text]) => {
    const options = [...text!.matchAll(OPTION)].map(([tag]) => tag);
    const chosen = options.find((tag) => / selected\b/.test(tag)) ?? options[0] ?? '';
    return [name!, attribute(chosen, 'value') ?? ''];
  });
}

function textsOf(form: string): [name: string, value: string][] {
  return [...form.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs)].map(([, name, text]) => [
    name!,
    unescape(text!),
  ]);
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescape(value);
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
