import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { AddressRanges, canonicalAddress } from '../../config/address-ranges.js';
import { PullFault } from './pull-fault.js';

/** Link-local IPv4 addresses, and others at which clouds serve metadata: address and bits. */
const LINK_LOCAL_IPV4 = [
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
] as const;

/** The addresses in which a gateway may find a range of IPv4 (NAT64, SIIT, 6to4). */
function withEmbedded([address, bits]: readonly [string, number]): string[] {
  const hex = Buffer.from(address.split('.').map(Number)).toString('hex');
  const embedding = ['::', '64:ff9b::', '::ffff:0:'].map((prefix) => `${prefix}${address}/${96 + bits}`);
  return [`${address}/${bits}`, ...embedding, `2002:${hex.slice(0, 4)}:${hex.slice(4)}::/${16 + bits}`];
}

/** Metadata may hold credentials of this machine. */
const LINK_LOCAL = new AddressRanges([
  ...LINK_LOCAL_IPV4.flatMap(withEmbedded),
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  // The IPv4 address of a local NAT64 and of Teredo may be at several places.
  '64:ff9b:1::/48',
  '2001::/32',
]);

/** True for every address at which a PMS of the own network may be: all but link-local ones. */
export function isNotLinkLocal(text: string): boolean {
  const address = canonicalAddress(text);
  return address !== undefined && !LINK_LOCAL.has(address);
}

/** Further addresses that are not of the public internet (IANA's special-purpose registries). */
const SPECIAL = new AddressRanges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

/** All public IPv6 addresses. Addresses of one site, and those that contain an IPv4 address, are outside. */
const PUBLIC_IPV6 = new AddressRanges(['2000::/3']);

/** True if an address is of the public internet. A server at another address may trust this machine. */
export function isPublicAddress(text: string): boolean {
  const address = canonicalAddress(text);
  if (address === undefined || !isNotLinkLocal(address) || SPECIAL.has(address)) return false;
  return !address.includes(':') || PUBLIC_IPV6.has(address);
}

/** Finds all addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/**
 * Allows connections to some addresses only. It checks the very address to which the connection goes. So it does not help an
 * attacker to change the address of a name after the check (DNS rebinding).
 */
export class AddressGuard {
  constructor(
    private readonly isAllowed: (address: string) => boolean,
    private readonly resolve: Resolve = systemResolve,
  ) {}

  /** Checks a host that is written as an address, because such a host is never looked up. @throws PullFault */
  demandHost(hostname: string): void {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(bare) !== 0) this.#demand([{ address: bare, family: isIP(bare) }]);
  }

  /** The addresses of a host, all of them allowed. @throws PullFault, or the resolver's error */
  async addressesOf(hostname: string): Promise<readonly LookupAddress[]> {
    this.demandHost(hostname);
    const addresses = await this.resolve(hostname.replace(/^\[(.*)\]$/, '$1'));
    this.#demand(addresses);
    return addresses;
  }

  /** For `net.connect`, which connects only to the addresses that this function returns. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.addressesOf(hostname).then(
      (addresses) => {
        const wanted = familyOf(options.family);
        const fitting = addresses.filter(({ family }) => wanted === 0 || family === wanted);
        const [first] = fitting;
        if (first === undefined) callback(notFound(hostname), '', 0);
        else if (options.all === true) callback(null, [...fitting]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };

  /** One refused address refuses the host: an honest host has either public or private addresses. */
  #demand(addresses: readonly LookupAddress[]): void {
    if (addresses.every(({ address }) => this.isAllowed(address))) return;
    throw new PullFault('address_refused', 'The host leads to a loopback, private or reserved address.');
  }
}

function familyOf(family: number | 'IPv4' | 'IPv6' | undefined): number {
  if (family === 'IPv4') return 4;
  return family === 'IPv6' ? 6 : (family ?? 0);
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' });
}
