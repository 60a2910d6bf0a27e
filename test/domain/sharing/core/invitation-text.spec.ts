import { acceptedText, invitationText } from '#domain/sharing/core/invitation-text.js';

test('the text to the person who is invited names the site alone', () => {
  expect(invitationText('Main Street')).toBe(
    'Somebody shares a storage unit at Main Street with you. Sign in to the app with this number, and enter the code that they tell you.',
  );
});

test('the text to the tenant names the unit, and the end in the time of the site', () => {
  const until = Date.parse('2025-06-07T03:05:00Z');
  const accepted = { site: 'Main Street', unit_name: 'A-101', until };
  expect(acceptedText({ ...accepted, timezone: 'America/Chicago' }).replaceAll('\u202f', ' ')).toBe(
    'Main Street: somebody has accepted your invitation, and can open unit A-101 until Fri, Jun 6, 10:05 PM. You can end that in the app.',
  );
});
