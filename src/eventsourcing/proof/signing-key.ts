import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { join } from 'node:path';
import { keptSecret, readSecret } from '#kernel/kept-secret.js';

const FILE = 'audit-signing-key';

/** The given text is not a private key. The message never shows it. */
class SigningKeyError extends Error {
  readonly code = 'signing_key';

  constructor(where: string) {
    super(`${where} must hold an Ed25519 private key as base64 of its PKCS #8 form.`);
  }
}

/** The Ed25519 key that signs checkpoints and manifests of the log. */
export class SigningKey {
  /** The public key, as base64 of its SPKI form. */
  readonly name: string;

  private constructor(private readonly key: KeyObject) {
    this.name = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
  }

  /** @throws SigningKeyError */
  static read(text: string, where: string): SigningKey {
    try {
      const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
      if (key.asymmetricKeyType === 'ed25519') return new SigningKey(key);
    } catch {
      // The error below does not quote the key.
    }
    throw new SigningKeyError(where);
  }

  /** The configured key, or the key in the data directory, which is made if there is none. @throws SigningKeyError */
  static async open(configured: string | undefined, data_dir: string): Promise<SigningKey> {
    const known = await SigningKey.known(configured, data_dir);
    if (known !== undefined) return known;
    const path = join(data_dir, FILE);
    return SigningKey.read(await keptSecret(path, newKey), path);
  }

  /** The configured key, or the key in the data directory; undefined if there is none. @throws SigningKeyError */
  static async known(configured: string | undefined, data_dir: string): Promise<SigningKey | undefined> {
    if (configured !== undefined) return SigningKey.read(configured, 'AUDIT_SIGNING_KEY');
    const path = join(data_dir, FILE);
    const text = await readSecret(path);
    return text === undefined ? undefined : SigningKey.read(text, path);
  }

  /** @returns base64 */
  sign(text: string): string {
    return sign(null, Buffer.from(text), this.key).toString('base64');
  }
}

/** The canonical text of a public key; undefined if the text is not a key. @param text base64 of its SPKI form */
export function publicKeyName(text: string): string | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') return undefined;
    return key.export({ format: 'der', type: 'spki' }).toString('base64');
  } catch {
    return undefined;
  }
}

/** True if the signature of a text is right. @param name the public key */
export function isSignedBy(name: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(name, 'base64'), format: 'der', type: 'spki' });
    const bytes = Buffer.from(signature, 'base64');
    // Decoding ignores invalid characters, so a changed signature text could pass without this check.
    const isWhole = bytes.toString('base64') === signature;
    return isWhole && key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, bytes);
  } catch {
    return false;
  }
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}
