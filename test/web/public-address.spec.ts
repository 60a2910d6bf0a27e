import { ClientAddresses } from '#web/client-address.js';
import { PublicAddress } from '#web/public-address.js';

function originFor(public_url: string | undefined, headers: Record<string, string>): string {
  const addresses = new ClientAddresses({ trusted_proxies: ['127.0.0.1'] });
  const request = { socket: { remoteAddress: '127.0.0.1' }, headers };
  return new PublicAddress(addresses, { public_url }).originFor(request as never);
}

describe('the address of links', () => {
  it('is that of PUBLIC_URL, whatever a request says', () => {
    expect(originFor('https://access.example', { host: 'evil.example' })).toBe('https://access.example');
  });

  it('is otherwise the one that the client used', () => {
    expect(originFor(undefined, { host: 'localhost:3000' })).toBe('http://localhost:3000');
    const proxied = { host: 'access.example', 'x-forwarded-proto': 'https' };
    expect(originFor(undefined, proxied)).toBe('https://access.example');
  });
});
