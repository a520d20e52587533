import { commissionType } from '@forecourt/contract/commission-type';
import { expect, test } from 'vitest';

test.each([
  ['Newcastle Motors', 'newSales'],
  ['NEW and USED Cars', 'newSales'],
  ['Parramatta Used Cars', 'usedSales'],
  ['Fused Auto', 'usedSales'],
  ['Northside Toyota', 'defaultSales'],
  ['', 'defaultSales'],
])('%o earns %s', (name, type) => {
  expect(commissionType(name)).toBe(type);
});
