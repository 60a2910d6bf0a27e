// Checks an export of the log alone: node verify-export.mjs EXPORT [KEY]
// That every event says what it said when it was written and follows the one before it in its stream, that the lines
// are those of the manifest, and that the manifest is signed; with KEY, by that public key. Needs Node.js 20, no package.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';

const [path, expectedKey] = process.argv.slice(2);
if (path === undefined || path.startsWith('-')) {
  console.error('Usage: node verify-export.mjs EXPORT [KEY]');
  process.exit(2);
}
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** The lines of a file: only a line feed ends one. */
async function* linesOf(file) {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file)) {
    rest = Buffer.concat([rest, chunk]);
    for (let end; (end = rest.indexOf(10)) !== -1; rest = rest.subarray(end + 1))
      yield rest.subarray(0, end).toString();
  }
  if (rest.length > 0) yield rest.toString();
}

/** RFC 8785: members in the order of their names, no white space. */
function canonical(value) {
  // JSON reads 1e999 as a number that is not finite, which must not pass for null.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

const faults = [];
const heads = new Map();
const digest = createHash('sha256');
let [events, number] = [0, 0];
let manifest, last;

function check({ stream, revision, id, type, data, metadata }) {
  const { hash, ...content } = metadata;
  const head = heads.get(stream) ?? { revision: -1, hash: '0'.repeat(64) };
  const place = `stream ${stream}, revision ${revision}`;
  if (revision !== head.revision + 1) faults.push(`${place}: events before it are missing`);
  else if (content.previous_hash !== head.hash)
    faults.push(`${place}: it does not link to the event before it`);
  if (sha256(canonical({ stream, revision, id, type, data, metadata: content })) !== hash) {
    faults.push(`${place}: its content changed after it was written`);
  }
  heads.set(stream, { revision, hash });
}

function checkManifest() {
  const { format, at, root, key, signature } = manifest;
  const signed = JSON.stringify({ format, at, events: manifest.events, sha256: manifest.sha256, root, key });
  const unsigned = JSON.stringify({ signature, streams: Object.fromEntries(heads) });
  const ends = [...heads].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = ends.map(([stream, { revision, hash }]) => `${JSON.stringify([stream, revision, hash])}\n`);
  if (number !== events + 1) faults.push('it holds more than one manifest');
  if (manifest.events !== events)
    faults.push(`the manifest is of ${manifest.events} events, not of ${events}`);
  if (manifest.sha256 !== digest.digest('hex')) faults.push('the lines are not those of the manifest');
  if (sha256(text.join('')) !== root) faults.push('the streams do not end where it was signed that they do');
  // Other text beside the signed members would pass as signed.
  else if (last !== `{"manifest":${signed.slice(0, -1)},${unsigned.slice(1)}}`)
    faults.push('its last line is not the one that was written');
  if (expectedKey !== undefined && key !== expectedKey) faults.push(`it is signed with another key, ${key}`);
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  const signatureBytes = Buffer.from(signature, 'base64');
  const isWhole = signatureBytes.toString('base64') === signature;
  if (!isWhole || !verify(null, Buffer.from(signed), publicKey, signatureBytes)) {
    faults.push('the signature does not belong to this manifest and key: the file was altered after signing');
  }
}

try {
  for await (const line of linesOf(path)) {
    number += 1;
    last = line;
    const members = JSON.parse(line);
    manifest = members.manifest;
    if (manifest) continue;
    digest.update(`${line}\n`);
    check(members);
    events += 1;
  }
  if (manifest === undefined) faults.push('it does not end with a manifest');
  else checkManifest();
} catch (error) {
  faults.push(number === 0 ? `it cannot be read: ${error.message}` : `line ${number} is none of an export`);
}
for (const fault of faults) console.log(`FAULT: ${fault}`);
const unknown = '; not checked with a key that you know. Name it as the second argument';
if (faults.length === 0)
  console.log(
    `ok: ${events} events in ${heads.size} streams, signed at ${manifest.at} with ${manifest.key}` +
      (expectedKey === undefined ? unknown : ''),
  );
process.exitCode = faults.length === 0 ? 0 : 1;
