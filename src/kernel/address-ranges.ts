import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An IPv4 address inside of IPv6 becomes IPv4. A zone is dropped. Undefined if the text is not an address. */
export function parseAddress(text: string): Address | undefined {
  const bare = text.replace(/%.*$/, '');
  // The library alone would accept 0x7f.1 too.
  const family = isIP(bare);
  if (family === 0) return undefined;
  if (family === 4) return ipaddr.IPv4.parse(bare);
  // The library reads the deprecated ::10.0.0.1 as ::ffff:10.0.0.1, unless a zero begins it.
  const address = ipaddr.IPv6.parse(bare.replace(/^::(?=\d+\.)/, '0::'));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** A range of IPv4 is one of IPv6 here, so that ::/0 contains IPv4 addresses too. */
interface AddressRange {
  readonly network: ipaddr.IPv6;
  readonly bits: number;
}

/** A set of IP addresses and CIDR ranges. */
export class AddressRanges {
  readonly #ranges: readonly AddressRange[];

  /** @param ranges texts that passed `isAddressRange` */
  constructor(ranges: readonly string[]) {
    this.#ranges = ranges.map((range) => parseRange(range)!);
  }

  has(address: Address): boolean {
    const sought = toIpv6(address);
    return this.#ranges.some(({ network, bits }) => sought.match(network, bits));
  }
}

/** True for an address, and for an address with a prefix length after a slash. */
export function isAddressRange(text: string): boolean {
  return parseRange(text) !== undefined;
}

function parseRange(range: string): AddressRange | undefined {
  const [, given = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const address = parseAddress(given);
  if (address === undefined) return undefined;
  const missingBits = given.includes(':') ? 0 : 96;
  const bits = missingBits + Number(length ?? 128 - missingBits);
  const fewestBits = address.kind() === 'ipv4' ? 96 : 0;
  return bits < fewestBits || bits > 128 ? undefined : { network: toIpv6(address), bits };
}

/** The bytes that make an IPv4 address an IPv6 one, as in ::ffff:10.0.0.1. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

function toIpv6(address: Address): ipaddr.IPv6 {
  return address instanceof ipaddr.IPv4 ? new ipaddr.IPv6([...MAPPED, ...address.octets]) : address;
}

/** An IPv4 address itself; for IPv6 its /64 network, because one client usually has all addresses in it. Empty for none. */
export function networkOf(address: Address | undefined): string {
  if (address === undefined) return '';
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`;
}
