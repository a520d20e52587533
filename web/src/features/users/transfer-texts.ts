import type { Belongings, User } from '@forecourt/contract/users';
import { formatPlural } from '../../platform/formats.ts';
import { texts } from '../../texts/users.ts';

/** Values of the steps. An empty text is no choice. */
export type TransferValues = {
  targetUserId: string;
  keepSharing: boolean;
  deactivate: boolean;
  reason: string;
};

/** Returns `2 dealerships and 120 deals`; an empty text for nothing. */
export function formatBelongings({
  dealerships,
  emailTemplates,
  items,
  deals,
  dealViews,
}: Belongings): string {
  const parts = [
    [dealerships, 'dealership'] as const,
    [emailTemplates, 'email template'] as const,
    [items, 'item'] as const,
    [deals, 'deal'] as const,
    [dealViews, 'shared view'] as const,
  ].flatMap(([count, word]) => (count === 0 ? [] : [formatPlural(count, word)]));
  return new Intl.ListFormat('en-AU').format(parts);
}

/** Returns the changes, one sentence each. */
export function reviewOf(
  { name, isActive }: Pick<User, 'name' | 'isActive'>,
  newOwner: string,
  owned: Belongings,
  { keepSharing, deactivate, reason }: TransferValues,
): string[] {
  const text = reason.trim();
  return [
    texts.reviewMove(formatBelongings(owned), name, newOwner),
    keepSharing ? texts.reviewKeeps(name) : texts.reviewLoses(name),
    ...(isActive ? [deactivate ? texts.reviewDeactivates(name) : texts.reviewStays(name)] : []),
    ...(text === '' ? [] : [texts.reviewReason(text)]),
  ];
}
