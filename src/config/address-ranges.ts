import { BlockList, isIP, SocketAddress } from 'node:net';

/**
 * The one form of an address for comparing and counting: compressed IPv6 without its zone, or IPv4, also if IPv6
 * carries it. Undefined if it is not an address.
 */
export function canonicalAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '');
  const family = isIP(bare);
  if (family === 0) return undefined;
  const { address } = new SocketAddress({ address: bare, family: family === 4 ? 'ipv4' : 'ipv6' });
  return /^::ffff:(\d+(?:\.\d+){3})$/.exec(address)?.[1] ?? address;
}

/** Addresses and CIDR ranges, of either family. */
export class AddressRanges {
  private readonly list = new BlockList();

  /** Each of `ranges` is one that `isAddressRange` holds for. */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const { address, bits } = parsed(range)!;
      this.list.addSubnet(address, bits, familyOf(address));
    }
  }

  /** Whether one of the ranges holds the address, which is canonical. */
  has(address: string): boolean {
    return this.list.check(address, familyOf(address));
  }
}

/** Whether the text is an address, or one with the length of a prefix after a slash. */
export function isAddressRange(text: string): boolean {
  return parsed(text) !== undefined;
}

function parsed(range: string): { readonly address: string; readonly bits: number } | undefined {
  const [, given = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const address = canonicalAddress(given);
  if (address === undefined) return undefined;
  const width = given.includes(':') ? 128 : 32;
  // The first 96 bits of an IPv4 address in IPv6 are the carrier.
  const carried = width === 128 && !address.includes(':') ? 96 : 0;
  const bits = length === undefined ? width : Number(length);
  return bits < carried || bits > width ? undefined : { address, bits: bits - carried };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** An address itself, or of IPv6 its network of 64 bits, all of which one client commonly has to choose from. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const whole = [...groups, ...Array<string>(8 - groups.length - behind.length).fill('0'), ...behind];
  return `${whole.slice(0, 4).join(':')}::/64`;
}
