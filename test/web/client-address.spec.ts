import { ClientAddresses } from '#web/client-address.js';

const TRUSTED = ['10.0.0.0/8', '2001:db8:ffff::/48', '::ffff:192.0.2.0/120'];

function from(remoteAddress: string | undefined, forwarded?: string, trusted: readonly string[] = TRUSTED) {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } };
  return [new ClientAddresses({ trusted_proxies: trusted }), request as never] as const;
}

const addressOf = (...given: Parameters<typeof from>) => {
  const [addresses, request] = from(...given);
  return addresses.findAddress(request);
};

describe("a client's address", () => {
  it.each([
    ['is the connection’s', '198.51.100.7', undefined, '198.51.100.7'],
    ['is plain IPv4 where IPv6 carries it', '::ffff:198.51.100.7', undefined, '198.51.100.7'],
    ['is plain IPv4 where that is written in hexadecimal', '::ffff:c633:6407', undefined, '198.51.100.7'],
    ['is one for every way to write it', '2001:DB8:0:0:0::1', undefined, '2001:db8::1'],
    ['has no zone', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['is not what a stranger claims', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['is what a trusted proxy says', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['is so where IPv6 carries the proxy’s', '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['is so where IPv6 carries the trusted range', '192.0.2.200', '203.0.113.9', '203.0.113.9'],
    ['is so for a proxy on IPv6', '2001:db8:ffff::9', '2001:db8::5', '2001:db8::5'],
    ['is the first untrusted one, from the end', '10.0.0.1', '1.1.1.1, 203.0.113.9,10.0.0.2', '203.0.113.9'],
    [
      'is behind several proxies the farthest trusted where all are',
      '10.0.0.1',
      '10.0.0.3, 10.0.0.2',
      '10.0.0.3',
    ],
    ['is the proxy’s where that says nothing', '10.0.0.1', undefined, '10.0.0.1'],
    ['is the last one known where the claim before is none', '10.0.0.1', 'unknown, 10.0.0.2', '10.0.0.2'],
    ['is free of a port', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['is free of brackets and a port', '10.0.0.1', '[2001:db8::5]:4711', '2001:db8::5'],
    ['is empty where the connection is gone', undefined, '203.0.113.9', ''],
  ])('%s', (_text, connection, forwarded, expected) => {
    expect(addressOf(connection, forwarded)).toBe(expected);
  });

  it('is what an IPv4 proxy says where all of IPv6 is trusted', () => {
    expect(addressOf('10.1.2.3', '203.0.113.9', ['::/0'])).toBe('203.0.113.9');
  });

  it('is not what a stranger claims whose deprecated IPv6 form ends in a trusted IPv4 address', () => {
    expect(addressOf('::10.1.2.3', '203.0.113.9')).toBe('::a01:203');
  });

  it('is never taken from a header when no proxy is trusted', () => {
    expect(addressOf('10.1.2.3', '203.0.113.9', [])).toBe('10.1.2.3');
  });

  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s counts as %s', (connection, network) => {
    const [addresses, request] = from(connection);
    expect(addresses.networkOf(request)).toBe(network);
  });
});
