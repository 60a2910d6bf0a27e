import { connect, type KeptAccess } from 'storage-access-client';

/** Signs in with the code that was sent; a phone with several accounts needs the chosen `tenant_id` as well. */
export async function signIn(baseUrl: string, country_code: string, phone_number: string, otp: string) {
  const body = { country_code, phone_number, otp };
  const { data } = await connect({ baseUrl }).call('POST', '/api/v2/auth/verify-otp', { body });
  return data.token;
}

/** What to show now. `stored` is what was kept at the last launch; without a signal it is all there is. */
export async function whatMayBeOpened(baseUrl: string, token: string, stored?: KeptAccess) {
  const known = connect({ baseUrl, token }).tenantAccess({ kept: stored });
  const { access, is_stale } = await known.current(); // or known.refresh(), when the tenant asks
  const doors = access.units.flatMap(({ locks }) => locks.filter(({ key }) => key !== undefined));
  return { doors, is_stale, toStore: known.kept };
}
