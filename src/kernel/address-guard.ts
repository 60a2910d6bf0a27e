import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Address, AddressRanges, parseAddress } from './address-ranges.js';
import type { Clock } from './clock.js';
import { within } from './within.js';

/** Time in which a host's name is resolved before its refusal is known. */
const RESOLVE_TIMEOUT_MS = 3_000;

/** Addresses outside of the link-local ranges at which clouds serve metadata, which may hold credentials of this machine. */
const METADATA = new AddressRanges([
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
]);

/** Where a gateway finds an IPv4 address in IPv6 ones: IPv4-compatible, NAT64, SIIT, 6to4. */
const EMBEDDINGS = [
  { ranges: new AddressRanges(['::/96', '64:ff9b::/96', '::ffff:0:0:0/96']), firstByte: 12 },
  { ranges: new AddressRanges(['2002::/16']), firstByte: 2 },
];

/** A local NAT64 and Teredo: the IPv4 address may be at several places. */
const UNCLEAR_EMBEDDINGS = new AddressRanges(['64:ff9b:1::/48', '2001::/32']);

/** All public IPv6 addresses. Addresses of one site, and those that contain an IPv4 address, are outside. */
const PUBLIC_IPV6 = new AddressRanges(['2000::/3']);

/** True for every address at which a server of the own network may be: all but those of one link and of metadata. */
export function isNotLinkLocal(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && !mayBeLinkLocal(address);
}

/** True if an address is of the public internet. A server at another address may trust this machine. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined || mayBeLinkLocal(address) || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || PUBLIC_IPV6.has(address);
}

function mayBeLinkLocal(address: Address): boolean {
  if (UNCLEAR_EMBEDDINGS.has(address)) return true;
  return [address, ...embeddedIn(address)].some((one) => one.range() === 'linkLocal' || METADATA.has(one));
}

function embeddedIn(address: Address): Address[] {
  return EMBEDDINGS.filter(({ ranges }) => ranges.has(address)).map(({ firstByte }) =>
    ipaddr.fromByteArray(address.toByteArray().slice(firstByte, firstByte + 4)),
  );
}

/** Finds all addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/** The host leads to an address that may not be connected to. */
export class AddressRefusedError extends Error {
  constructor() {
    super('The host leads to a loopback, private or reserved address.');
    this.name = 'AddressRefusedError';
  }
}

/**
 * Allows connections to some addresses only. It checks the very address to which the connection goes. So it does not help an
 * attacker to change the address of a name after the check (DNS rebinding).
 */
export class AddressGuard {
  constructor(
    private readonly isAllowed: (address: string) => boolean,
    private readonly resolve: Resolve = systemResolve,
  ) {}

  /** Checks a host that is written as an address, because such a host is never looked up. @throws AddressRefusedError */
  assertHost(hostname: string): void {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(bare) !== 0) this.#assertAllowed([{ address: bare, family: isIP(bare) }]);
  }

  /** The addresses of a host, all of them allowed. @throws AddressRefusedError, or the resolver's error */
  async addressesOf(hostname: string): Promise<readonly LookupAddress[]> {
    this.assertHost(hostname);
    const addresses = await this.resolve(hostname.replace(/^\[(.*)\]$/, '$1'));
    this.#assertAllowed(addresses);
    return addresses;
  }

  /** Why a host may not be connected to. Undefined if it may, and if it cannot be resolved now: then each request tells. */
  async findRefusal(hostname: string, clock: Pick<Clock, 'after'>): Promise<AddressRefusedError | undefined> {
    return within(clock, RESOLVE_TIMEOUT_MS, this.addressesOf(hostname)).then(
      () => undefined,
      (error: unknown) => (error instanceof AddressRefusedError ? error : undefined),
    );
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
  #assertAllowed(addresses: readonly LookupAddress[]): void {
    if (addresses.every(({ address }) => this.isAllowed(address))) return;
    throw new AddressRefusedError();
  }
}

function familyOf(family: number | 'IPv4' | 'IPv6' | undefined): number {
  if (family === 'IPv4') return 4;
  return family === 'IPv6' ? 6 : (family ?? 0);
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' });
}
