import { ClientAddresses } from '#web/client-address.js';
import { PublicAddress } from '#web/public-address.js';

const addressWith = (public_url: string | undefined, production = false) =>
  new PublicAddress(new ClientAddresses({ trusted_proxies: ['127.0.0.1'] }), { public_url, production });
const from = (headers: Record<string, string>) =>
  ({ socket: { remoteAddress: '127.0.0.1' }, headers }) as never;

function originFor(public_url: string | undefined, headers: Record<string, string>): string {
  return addressWith(public_url).originFor(from(headers));
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

describe('the address of links that go to others', () => {
  const inProduction = (host: string | undefined, public_url?: string) =>
    addressWith(public_url, true).linkOriginFor(from(host === undefined ? {} : { host }));

  it.each([
    'localhost:3000',
    'LOCALHOST',
    'app.localhost',
    '127.0.0.1:3000',
    '127.1.2.3',
    '[::1]:3000',
    '0.0.0.0',
  ])('is not %s in production: it says what to set', (host) => {
    expect(() => inProduction(host)).toThrow(expect.objectContaining({ code: 'public_url_required' }));
  });

  it('is none in production where the request names no host', () => {
    expect(() => inProduction(undefined)).toThrow('PUBLIC_URL');
  });

  it('is that of the request in production, over TLS', () => {
    expect(inProduction('access.example:8443')).toBe('https://access.example:8443');
  });

  it('is that of PUBLIC_URL, also where the client is on this machine', () => {
    expect(inProduction('localhost:3000', 'https://access.example')).toBe('https://access.example');
  });

  it('is that of the client outside of production', () => {
    expect(addressWith(undefined).linkOriginFor(from({ host: 'localhost:3000' }))).toBe(
      'http://localhost:3000',
    );
  });
});
