import type { LookupAddress } from 'node:dns';
import { AddressGuard, isNotLinkLocal, isPublicAddress } from '#kernel/address-guard.js';

const resolved = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('an address', () => {
  test.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1']],
    [
      'of one link, metadata of clouds among it',
      ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fd00:ec2::254'],
    ],
    ['shared by a carrier', ['100.64.0.1', '100.100.100.200', '100.127.255.255']],
    [
      'of many or of nobody',
      ['224.0.0.1', '239.1.1.1', '255.255.255.255', '240.0.0.1', 'ff02::1', '0.0.0.0', '::'],
    ],
    [
      'kept for tests and protocols',
      ['192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '2001:db8::1'],
    ],
    [
      'of IPv4 in IPv6',
      [
        '::ffff:127.0.0.1',
        '::ffff:a00:1',
        '::ffff:169.254.169.254',
        '::7f00:1',
        '::8.8.8.8',
        '64:ff9b::a00:1',
        '64:ff9b:1::1',
        '2002:7f00:1::1',
        '2001:0:4136:e378::1',
      ],
    ],
    ['of a cloud’s platform', ['168.63.129.16']],
    ['that is none', ['', 'localhost', '1.2.3', '999.1.1.1', '0x8.8.8.8', '8.8.010.8', '134744072']],
  ])('%s is refused', (_what, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  test('of the public internet is not', () => {
    const open = [
      '8.8.8.8',
      '1.1.1.1',
      '172.32.0.1',
      '100.128.0.1',
      '192.169.0.1',
      '2606:4700::1111',
      '::ffff:8.8.8.8',
    ];
    expect(open.map(isPublicAddress)).toEqual([true, true, true, true, true, true, true]);
  });
});

test('of metadata is refused where private ones are allowed, in every form', () => {
  const metadata = ['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192'];
  const embedded = metadata.flatMap((one) => [`::${one}`, `::ffff:${one}`, `64:ff9b::${one}`]);
  const others = ['2002:a9fe:a9fe::1', '64:ff9b:1::a9fe:a9fe', '::ffff:0:a9fe:a9fe', '2001::1'];
  const ofIpv6 = ['fe80::1', 'fd20:ce::254', 'fd00:ec2::254'];
  expect([...metadata, ...embedded, ...others, ...ofIpv6].filter(isNotLinkLocal)).toEqual([]);
  const allowed = ['10.0.0.1', '100.100.100.201', '::1', 'fd20:ce::1', '64:ff9b::10.0.0.1', '2002:a00:1::1'];
  expect(allowed.filter(isNotLinkLocal)).toEqual(allowed);
});

describe('the guard', () => {
  const refused = { name: 'AddressRefusedError' };

  test('refuses a host that is written as an address without asking anybody', () => {
    const guard = new AddressGuard(isPublicAddress, () => Promise.reject(new Error('It was resolved.')));
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:10.0.0.1]'])
      expect(() => guard.assertHost(host)).toThrow(expect.objectContaining(refused));
  });

  test('refuses a name of which one address is private', async () => {
    const guard = new AddressGuard(isPublicAddress, () => Promise.resolve(resolved('8.8.8.8', '10.0.0.5')));
    await expect(guard.addressesOf('pms.example.com')).rejects.toMatchObject(refused);
  });

  test('lets private addresses pass where that is said', async () => {
    const guard = new AddressGuard(
      () => true,
      () => Promise.resolve(resolved('127.0.0.1')),
    );
    expect(await guard.addressesOf('pms.example.com')).toEqual(resolved('127.0.0.1'));
  });

  const lookup = (guard: AddressGuard, options: object) =>
    new Promise((resolve) => guard.lookup('pms.example.com', options, (...given) => resolve(given)));

  test('hands to whoever connects the addresses that it has looked at, and no others', async () => {
    const answers = [resolved('8.8.8.8', '2606:4700::1'), resolved('127.0.0.1')];
    const guard = new AddressGuard(isPublicAddress, () => Promise.resolve(answers.shift()!));
    expect(await lookup(guard, { all: true })).toEqual([null, resolved('8.8.8.8', '2606:4700::1')]);
    expect(await lookup(guard, { all: true })).toEqual([expect.objectContaining(refused), '', 0]);
  });

  test('keeps to the family that is asked for', async () => {
    const guard = new AddressGuard(isPublicAddress, () =>
      Promise.resolve(resolved('8.8.8.8', '2606:4700::1')),
    );
    expect(await lookup(guard, { family: 6 })).toEqual([null, '2606:4700::1', 6]);
    expect(await lookup(guard, { family: 'IPv4' })).toEqual([null, '8.8.8.8', 4]);
    const only = new AddressGuard(isPublicAddress, () => Promise.resolve(resolved('8.8.8.8')));
    expect(await lookup(only, { family: 6 })).toEqual([
      expect.objectContaining({ code: 'ENOTFOUND' }),
      '',
      0,
    ]);
  });
});
