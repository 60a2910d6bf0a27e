import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, 'tls');

/** The file of the authority that has signed {@link testCertificate}. */
export const AUTHORITY_FILE = join(FOLDER, 'authority.pem');

interface TestCertificate {
  readonly certificate: Buffer;
  readonly key: Buffer;
}

/** Of 127.0.0.1 and localhost, in PEM. */
export function testCertificate(): TestCertificate {
  return readPair('server');
}

/** Of the same hosts and authority, but its only purpose is clientAuth. */
export function testClientCertificate(): TestCertificate {
  return readPair('client');
}

function readPair(name: string): TestCertificate {
  return {
    certificate: readFileSync(join(FOLDER, `${name}.pem`)),
    key: readFileSync(join(FOLDER, `${name}-key.pem`)),
  };
}
