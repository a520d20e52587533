import { commissionType } from '@forecourt/contract/commission-type';
import { expect, test } from 'vitest';

test.each([
  ['Newcastle Motors', 'newSales'],
  ['NEW and USED Cars', 'newSales'],
  ['Parramatta Used Cars', 'usedSales'],
  ['Fused Auto', 'usedSales'],
  ['Northside Toyota', 'defaultSales'],
  ['', 'defaultSales'],
])('a dealership named %o earns by the rate %s', (name, type) => {
  expect(commissionType(name)).toBe(type);
});
