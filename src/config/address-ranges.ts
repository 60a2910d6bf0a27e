import { BlockList, isIP, SocketAddress } from 'node:net';

/**
 * An IP address in one form, to compare and count it: IPv4, or compressed IPv6 without its zone. An IPv4 address inside
 * of IPv6 becomes IPv4. Undefined if the text is not an address.
 */
export function canonicalAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '');
  const family = isIP(bare);
  if (family === 0) return undefined;
  const { address } = new SocketAddress({ address: bare, family: family === 4 ? 'ipv4' : 'ipv6' });
  return /^::ffff:(\d+(?:\.\d+){3})$/.exec(address)?.[1] ?? address;
}

/** A set of IP addresses and CIDR ranges. */
export class AddressRanges {
  private readonly list = new BlockList();

  /** @param ranges texts that passed `isAddressRange` */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const { address, bits } = parsed(range)!;
      this.list.addSubnet(address, bits, familyOf(address));
    }
  }

  /** True if a range contains the address, which must be canonical. */
  has(address: string): boolean {
    return this.list.check(address, familyOf(address));
  }
}

/** True for an address, and for an address with a prefix length after a slash. */
export function isAddressRange(text: string): boolean {
  return parsed(text) !== undefined;
}

function parsed(range: string): { readonly address: string; readonly bits: number } | undefined {
  const [, given = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const address = canonicalAddress(given);
  if (address === undefined) return undefined;
  const width = given.includes(':') ? 128 : 32;
  // An IPv4 address inside of IPv6 begins after 96 bits.
  const offset = width === 128 && !address.includes(':') ? 96 : 0;
  const bits = length === undefined ? width : Number(length);
  return bits < offset || bits > width ? undefined : { address, bits: bits - offset };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** An IPv4 address itself; for IPv6 its /64 network, because one client usually has all addresses in it. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const whole = [...groups, ...Array<string>(8 - groups.length - behind.length).fill('0'), ...behind];
  return `${whole.slice(0, 4).join(':')}::/64`;
}
