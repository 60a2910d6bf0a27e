/** The environment of a service whose limits no test meets unless it asks for them. */
export const UNLIMITED = {
  RATE_LIMIT_PMS_WRITES: '1000000',
  RATE_LIMIT_PMS_BULK: '1000000',
  RATE_LIMIT_READS: '1000000',
  RATE_LIMIT_AUTH_SOURCE: '1000000',
  SMS_LIMIT_COMPANY: '1000000/1000000',
  SMS_LIMIT_SERVICE: '1000000/1000000',
};
