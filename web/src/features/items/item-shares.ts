import type { Item } from '@forecourt/contract/items';
import { texts as sharing } from '../../texts/sharing.ts';
import type { Levels } from '../../ui/sharing/shares.ts';

export type ItemLevel = Item['sharedWith'][number]['permissions'];

export const shareLevels: Levels<ItemLevel> = [
  { value: 'read', label: sharing.levels.read },
  { value: 'write', label: sharing.levels.write },
];
