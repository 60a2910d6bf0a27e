import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { join } from 'node:path';
import { keptSecret, readSecret } from '../../storage/kept-secret.js';

const FILE = 'audit-signing-key';

/** A private key was given that is none. The message is one line and never shows it. */
class SigningKeyError extends Error {
  readonly code = 'signing_key';

  constructor(where: string) {
    super(`${where} must hold an Ed25519 private key as base64 of its PKCS #8 form.`);
    this.name = 'SigningKeyError';
  }
}

/** The Ed25519 key that signs checkpoints and manifests of the log. */
export class SigningKey {
  /** The public key, as base64 of its SPKI form: by it whoever checks a signature knows whose it is. */
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
      // Told below, without what it says of the key.
    }
    throw new SigningKeyError(where);
  }

  /** The configured one, or one that is made once and kept in the data directory. @throws SigningKeyError */
  static async open(configured: string | undefined, data_dir: string): Promise<SigningKey> {
    const known = await SigningKey.known(configured, data_dir);
    if (known !== undefined) return known;
    const path = join(data_dir, FILE);
    return SigningKey.read(await keptSecret(path, newKey), path);
  }

  /** The configured one or the one that was made; undefined where there is none yet. @throws SigningKeyError */
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

/** The one name of a public key, base64 of its SPKI form; undefined for what is none. */
export function publicKeyName(text: string): string | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') return undefined;
    return key.export({ format: 'der', type: 'spki' }).toString('base64');
  } catch {
    return undefined;
  }
}

/** Whether the holder of a public key has signed a text; false for what is no key or signature as well. */
export function isSignedBy(name: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(name, 'base64'), format: 'der', type: 'spki' });
    const bytes = Buffer.from(signature, 'base64');
    // Decoding passes over what is no base64: another text than was signed with would do as well.
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
