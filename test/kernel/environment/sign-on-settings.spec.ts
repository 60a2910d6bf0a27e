import { readEnvironment } from '#kernel/environment/environment.js';

const SECRET = 'do-not-show-this-value';
const SET = {
  OIDC_ISSUER: 'https://id.example/realms/staff',
  OIDC_CLIENT_ID: 'storage-access',
  OIDC_CLIENT_SECRET: SECRET,
};
const PRODUCTION = {
  NODE_ENV: 'production',
  KEY_MASTER_SECRET: 'x'.repeat(32),
  OPERATOR_EMAIL: 'ada@example.com',
  OPERATOR_PASSWORD: 'correct horse battery staple',
  SMS_PROVIDER: 'outbox',
};

function faultsOf(variables: Record<string, string>): string[] {
  try {
    readEnvironment(variables);
    return [];
  } catch (error) {
    const { message } = error as Error;
    expect(message).not.toContain(SECRET);
    return message.split('\n');
  }
}

describe('single sign-on', () => {
  it('is off where no provider is set', () => {
    expect(readEnvironment({ OIDC_ONLY: 'false', OIDC_LINK_BY_EMAIL: 'false' }).sign_on).toBeUndefined();
  });

  it('needs a provider and its client, and nothing else', () => {
    expect(readEnvironment(SET).sign_on).toEqual({
      issuer: 'https://id.example/realms/staff',
      client_id: 'storage-access',
      client_secret: SECRET,
      label: 'single sign-on',
      only: false,
      link_by_email: false,
      mfa_values: [],
    });
  });

  it('reads values of a second factor between commas or spaces', () => {
    const { sign_on } = readEnvironment({ ...SET, OIDC_MFA_VALUES: 'mfa, otp hwk,' });
    expect(sign_on?.mfa_values).toEqual(['mfa', 'otp', 'hwk']);
  });

  it.each(['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])('is refused without %s', (name) => {
    expect(faultsOf({ ...SET, [name]: '' })).toEqual([
      expect.stringMatching(new RegExp(`^${name} is required for single sign-on, with OIDC_`)),
    ]);
  });

  it.each([
    ['OIDC_ONLY', 'true'],
    ['OIDC_LINK_BY_EMAIL', 'true'],
    ['OIDC_LABEL', 'Evergreen ID'],
  ])('is refused where %s is %s and no provider is set', (name, value) => {
    expect(faultsOf({ [name]: value })).toHaveLength(3);
  });

  it.each([
    'id.example',
    'ftp://id.example',
    'https://id.example?tenant=1',
    'https://ada@id.example',
    SECRET,
  ])('is refused for the issuer %s', (OIDC_ISSUER) => {
    expect(faultsOf({ ...SET, OIDC_ISSUER })).toEqual([
      'OIDC_ISSUER must be a URL such as https://id.example/realms/staff.',
    ]);
  });

  it.each([
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/organizations/v2.0',
    'https://login.microsoftonline.us/consumers',
  ])('is refused for an issuer of every tenant, %s', (OIDC_ISSUER) => {
    expect(faultsOf({ ...SET, OIDC_ISSUER })).toEqual([
      expect.stringMatching(/^OIDC_ISSUER serves every tenant of Entra ID\. Name your tenant/),
    ]);
    const named = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0';
    expect(faultsOf({ ...SET, OIDC_ISSUER: named })).toEqual([]);
  });

  it('does not link by e-mail at an issuer where anybody has an account', () => {
    const google = { ...SET, OIDC_ISSUER: 'https://accounts.google.com' };
    expect(faultsOf(google)).toEqual([]);
    expect(faultsOf({ ...google, OIDC_LINK_BY_EMAIL: 'true' })).toEqual([
      expect.stringMatching(/^OIDC_LINK_BY_EMAIL is for an issuer of your own/),
    ]);
  });

  it('needs https and PUBLIC_URL in production', () => {
    const plain = { ...PRODUCTION, ...SET, OIDC_ISSUER: 'http://id.example' };
    expect(faultsOf(plain)).toEqual([
      expect.stringMatching(/^OIDC_ISSUER must begin with https:/),
      expect.stringMatching(/^PUBLIC_URL must begin with https:/),
    ]);
    expect(faultsOf({ ...PRODUCTION, ...SET, PUBLIC_URL: 'http://access.example' })).toHaveLength(1);
    expect(faultsOf({ ...PRODUCTION, ...SET, PUBLIC_URL: 'https://access.example' })).toEqual([]);
  });

  it('has a label that fits its button', () => {
    expect(readEnvironment({ ...SET, OIDC_LABEL: 'Evergreen ID' }).sign_on?.label).toBe('Evergreen ID');
    expect(faultsOf({ ...SET, OIDC_LABEL: 'x'.repeat(41) })).toEqual([
      'OIDC_LABEL must have at most 40 characters.',
    ]);
  });
});
