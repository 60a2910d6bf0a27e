import { createPrivateKey } from 'node:crypto';
import { isAddressRange } from '../address-ranges.js';
import { isCalendarDate } from '../calendar-date.js';

/** A wrong or missing variable. The message is one line and never shows a value. */
export class EnvironmentFault extends Error {
  constructor(
    readonly variable: string,
    fault: string,
  ) {
    super(`${variable} ${fault}`);
  }
}

/** Collects the faults of several values. A value with a fault is undefined and must not be used. */
export class Faults {
  readonly all: EnvironmentFault[] = [];

  readonly read = <T>(value: () => T): T => {
    try {
      return value();
    } catch (error) {
      if (!(error instanceof EnvironmentFault)) throw error;
      this.all.push(error);
      return undefined as T;
    }
  };
}

export type Variables = Readonly<Record<string, string | undefined>>;

export function readText(variables: Variables, name: string): string | undefined {
  const value = variables[name]?.trim();
  return value === '' ? undefined : value;
}

export function readWhole(
  variables: Variables,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const value = readText(variables, name);
  if (value === undefined) return fallback;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  throw new EnvironmentFault(name, `must be a whole number between ${min} and ${max}.`);
}

export function readFlag(variables: Variables, name: string, fallback = false): boolean {
  return (readChoice(variables, name, ['true', 'false'] as const) ?? String(fallback)) === 'true';
}

export function readChoice<T extends string>(
  variables: Variables,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = readText(variables, name);
  if (value === undefined) return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw new EnvironmentFault(name, `must be one of ${choices.join(', ')}.`);
  return chosen;
}

export function readUrl(variables: Variables, name: string, schemes: readonly string[]): string | undefined {
  const value = readText(variables, name);
  if (value === undefined) return undefined;
  const scheme = schemes.find((known) => value.startsWith(`${known}//`));
  if (scheme === undefined) {
    throw new EnvironmentFault(
      name,
      `must be a URL that begins with ${schemes.map((known) => `${known}//`).join(' or ')}.`,
    );
  }
  if (!hostsOf(value).every((host) => /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/.test(host))) {
    throw new EnvironmentFault(name, 'must be a URL with a host, or several between commas.');
  }
  return value;
}

/** Drivers allow several hosts separated by commas, but the URL parser does not. */
export function hostsOf(address: string): string[] {
  const authority = /^[^/?#]*/.exec(address.slice(address.indexOf('//') + 2))?.[0] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1).split(',');
}

export function readAddressRanges(variables: Variables, name: string): readonly string[] {
  const ranges = (readText(variables, name) ?? '').split(',').map((range) => range.trim());
  if (ranges.length === 1 && ranges[0] === '') return [];
  if (ranges.every(isAddressRange)) return ranges;
  throw new EnvironmentFault(name, 'must be addresses or ranges such as 10.0.0.0/8, between commas.');
}

/** An origin has the form of a browser's `Origin` header: scheme, host and an unusual port. */
export function readOrigins(variables: Variables, name: string): readonly string[] {
  const given = readText(variables, name);
  const listed = given === undefined ? [] : given.split(',').map((origin) => origin.trim());
  if (listed.every(isOrigin)) return listed;
  throw new EnvironmentFault(name, 'must be origins such as https://app.example, between commas.');
}

/** The same for one origin. A slash at the end is allowed and cut. */
export function readOrigin(variables: Variables, name: string): string | undefined {
  const origin = readText(variables, name)?.replace(/\/$/, '');
  if (origin === undefined || isOrigin(origin)) return origin;
  throw new EnvironmentFault(name, 'must be an origin such as https://access.example.');
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

export function readDate(variables: Variables, name: string): string | undefined {
  const value = readText(variables, name);
  if (value === undefined || isCalendarDate(value)) return value;
  throw new EnvironmentFault(name, 'must be a valid date in the format YYYY-MM-DD.');
}

export function readSigningKey(variables: Variables, name: string): string | undefined {
  const value = readText(variables, name);
  if (value === undefined) return undefined;
  try {
    const key = createPrivateKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyType === 'ed25519') return value;
  } catch {
    // The error below does not quote the key.
  }
  throw new EnvironmentFault(name, 'must be an Ed25519 private key, as base64 of its PKCS #8 form.');
}
