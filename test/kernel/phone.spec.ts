import { internationalPhone } from '#kernel/core/phone.js';

it.each([
  ['+13125550100', '+13125550100'],
  ['(312) 555-0100', '+13125550100'],
  ['312.555.0100', '+13125550100'],
  ['312 555 0100', '+13125550100'],
  ['1-312-555-0100', '+13125550100'],
  ['+1 (312) 555-0100', '+13125550100'],
  ['+44 20 7946 0000', '+442079460000'],
  ['0044 20 7946 0000', '+442079460000'],
  ['011 44 20 7946 0000', '+442079460000'],
  [' (312) 555-0100 ', '+13125550100'],
])('%s is %s', (typed, phone) => {
  expect(internationalPhone(typed)).toBe(phone);
});

it.each(['', '555-0100', '112-555-0100', '312-155-0100', '312-555-0100 x12', 'none', '020 7946 0000'])(
  '%j names no whole number and stays, for the field to refuse it',
  (typed) => {
    expect(internationalPhone(typed)).toBe(typed);
  },
);
