import { readConnection } from '#stores/eventstoredb/connection.js';
import { AUTHORITY_FILE } from '../../support/tls.js';

const SECRET = 'a-secret';

describe('a connection string', () => {
  test('of one node: its place and its user, percent-decoded', () => {
    expect(readConnection('kurrentdb://u:p%40%3aq@a/?tls=false&connectionName=x%20y', true)).toEqual({
      addresses: [{ host: 'a', port: 2113 }],
      settings: { endpoint: { address: 'a', port: 2113 }, connectionName: 'x y' },
      channel: { insecure: true },
      credentials: { username: 'u', password: 'p@:q' },
    });
  });

  test('of a cluster: reads prefer the leader, unless told otherwise, and discovery never gives up', () => {
    const endless = 2_147_483_647;
    const { settings } = readConnection('esdb+discover://a?maxDiscoverAttempts=3', true);
    expect(settings).toEqual({
      discover: { address: 'a', port: 2113 },
      nodePreference: 'leader',
      maxDiscoverAttempts: endless,
    });
    expect(readConnection('esdb://a,[::1]:1?node_preference=READ-only_replica', true).settings).toEqual({
      endpoints: [
        { address: 'a', port: 2113 },
        { address: '[::1]', port: 1 },
      ],
      nodePreference: 'read_only_replica',
      maxDiscoverAttempts: endless,
    });
  });

  test('with TLS: verified, by the authority that it names', () => {
    expect(readConnection('esdb://a', true).channel).toEqual({ insecure: false });
    const { channel } = readConnection(`esdb://a?TLS_CA-file=${encodeURIComponent(AUTHORITY_FILE)}`, true);
    expect(channel.rootCertificate?.toString()).toContain('BEGIN CERTIFICATE');
  });

  test.each([
    ['http://u:a-secret@a', 'is not a connection string'],
    ['esdb://u:a-secret@', 'is not a connection string'],
    ['esdb://u:a-secret@a:70000', 'names no host or a wrong port'],
    ['esdb://u:a-secret@a b', 'names no host'],
    ['esdb://a-secret@a', 'needs a user and a password'],
    ['esdb://u:a-secret%@a', 'needs a user and a password'],
    ['esdb://u:a-secret@a?nonsense=1', 'the option nonsense, which is unknown. Known are connectionName'],
    ['esdb://a?u:a-secret@b=1', 'has an unknown option'],
    ['esdb://a?tls=maybe', 'the option tls, which must be true or false'],
    ['esdb://a?tlsVerifyCert=false', 'the option tlsVerifyCert, which must be true or left out'],
    ['esdb://a?throwOnAppendFailure=false', 'the option throwOnAppendFailure, which must be true'],
    ['esdb://a?gossipTimeout=soon', 'the option gossipTimeout, which must be a whole number from 1'],
    ['esdb://a?keepAliveInterval=-2', 'must be a whole number from -1'],
    ['esdb://a?nodePreference=any', 'must be one of leader, follower'],
    ['esdb://a?connectionName=%', 'must be a text'],
    ['esdb://a?tlsCAFile=/no/such', 'a file that cannot be read (ENOENT): /no/such'],
    [`esdb://a?tlsCAFile=${encodeURIComponent(__filename)}`, 'a file that holds no certificate'],
    ['esdb://a?userCertFile=/no/such', 'one of userCertFile and userKeyFile'],
  ])('%s is refused in one line, without its password', (url, line) => {
    const read = () => readConnection(url, true);
    expect(read).toThrow(`EVENTSTORE_URL `);
    expect(read).toThrow(line);
    expect(read).not.toThrow(new RegExp(`${SECRET}|\\n`));
  });

  test.each([
    ['esdb://db.example?tls=false', true],
    ['esdb://localhost:2113,db.example?TLS=false', true],
    ['esdb+discover://db.example?t-l-s=false', true],
    ['esdb://db.example?tls=true', false],
    ['esdb://db.example', false],
    ['esdb://127.0.0.1:2113?tls=false', false],
    ['esdb://[::1]?tls=false', false],
    ['esdb://localhost?tls=false', false],
  ])('where TLS is demanded %s: refused %s', (url, refused) => {
    const read = (allowInsecure?: boolean) => readConnection(url, allowInsecure).addresses.length;
    if (refused) expect(() => read()).toThrow('EVENTSTORE_ALLOW_INSECURE');
    else expect(read()).toBeGreaterThan(0);
    expect(read(true)).toBeGreaterThan(0);
  });
});
