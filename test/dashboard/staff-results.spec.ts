import { staffResultText } from '#dashboard/companies/staff-results.js';

const manager = { role: 'manager', companies: ['a'], disabled: false };

it.each([
  ['a token by what it may do', 'ApiTokenIssued', { scope: 'read' }, 'Read only'],
  ['a new operator by role and companies', 'OperatorAdded', manager, 'Manager, 1 company'],
  [
    'a new operator of all companies',
    'OperatorAdded',
    { ...manager, companies: null },
    'Manager, all companies',
  ],
  [
    'a new operator of sites by these',
    'OperatorOfSitesAdded',
    { ...manager, sites: [{}, {}] },
    'Manager, 2 sites',
  ],
  [
    'an operator whose password changed without rights',
    'OperatorChanged',
    { ...manager, fields: ['email', 'password'] },
    'E-mail, password',
  ],
  [
    'an operator whose rights changed with these',
    'OperatorChanged',
    { ...manager, fields: ['role', 'sites'] },
    'Role, sites: now Manager, 1 company',
  ],
  [
    'an operator who was disabled',
    'OperatorOfSitesChanged',
    { ...manager, sites: [{}], disabled: true, fields: ['disabled'] },
    'May sign in: now Manager, 1 site, cannot sign in',
  ],
  [
    'an operator who lost the reader’s company by that',
    'OperatorChanged',
    { ...manager, companies: [], fields: ['companies'] },
    'Companies: now Manager, no rights here',
  ],
  [
    'an operator who lost the reader’s sites by that',
    'OperatorOfSitesChanged',
    { ...manager, sites: [], fields: ['sites'] },
    'Sites: now Manager, no rights here',
  ],
  ['a link by who made it', 'OperatorSignOnLinked', { by: 'email' }, 'By e-mail'],
  ['a webhook by what changed', 'WebhookChanged', { fields: ['url', 'enabled'] }, 'Address, on or off'],
  [
    'a pull source by what changed',
    'PullSourceChanged',
    { fields: ['auth_header', 'mapping'] },
    'Credential, mapping',
  ],
  ['another event not at all', 'ZoneAdded', { name: 'North' }, undefined],
] as const)('tells of %s', (_, type, data, text) => {
  expect(staffResultText({ type, data: data as never })).toBe(text);
});
