export { IdentityProvider, ProviderFault, type ProviderTrouble } from './identity-provider.js';
