import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, 'tls');

/** The file of the authority that has signed {@link testCertificate}. */
export const AUTHORITY_FILE = join(FOLDER, 'authority.pem');

/** Of 127.0.0.1 and localhost, in PEM. */
export function testCertificate(): { readonly certificate: Buffer; readonly key: Buffer } {
  return {
    certificate: readFileSync(join(FOLDER, 'server.pem')),
    key: readFileSync(join(FOLDER, 'server-key.pem')),
  };
}
