import { readFileSync } from 'node:fs';
import { EnvironmentFault, type Faults, type Variables } from './environment-values.js';

/** Variables whose value may be in a file: `NAME_FILE` is its path. */
export const SECRET_VARIABLES = [
  'KEY_MASTER_SECRET',
  'OPERATOR_PASSWORD',
  'AUDIT_SIGNING_KEY',
  'TWILIO_AUTH_TOKEN',
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
] as const;

/** The variables with the contents of the secrets' files. One newline at the end of a file is removed. */
export function withSecretFiles(variables: Variables, read: Faults['read']): Variables {
  const secrets = SECRET_VARIABLES.map((name) => [
    name,
    read(() => secretOf(variables, name)) ?? variables[name],
  ]);
  return { ...variables, ...(Object.fromEntries(secrets) as Variables) };
}

function secretOf(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  const path = variables[`${name}_FILE`]?.trim() ?? '';
  if (path === '') return value;
  if (value !== undefined && value !== '')
    throw new EnvironmentFault(name, `and ${name}_FILE are both set: set one of them.`);
  const content = contentOf(path, `${name}_FILE`);
  if (content.trim() !== '') return content.replace(/\r?\n$/, '');
  throw new EnvironmentFault(`${name}_FILE`, 'names an empty file.');
}

function contentOf(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new EnvironmentFault(variable, `names a file that cannot be read (${code}).`);
  }
}
