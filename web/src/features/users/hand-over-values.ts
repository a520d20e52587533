import type { Belongings, User } from '@forecourt/contract/users';
import { formatPlural } from '../../platform/formats.ts';
import { texts } from '../../texts/users.ts';

/** What the steps ask for. Nobody chosen is the empty text. */
export type HandOverValues = {
  targetUserId: string;
  keepSharing: boolean;
  deactivate: boolean;
  reason: string;
};

export const handOverErrors = ({ targetUserId }: HandOverValues): Record<string, string> =>
  targetUserId === '' ? { targetUserId: texts.newOwnerRequired } : {};

/** `2 dealerships and 120 deals`; the empty text for nothing. */
export function belongingsInWords({
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

/** What will happen, a sentence for each thing. */
export function reviewOf(
  { name, isActive }: Pick<User, 'name' | 'isActive'>,
  heir: string,
  owned: Belongings,
  { keepSharing, deactivate, reason }: HandOverValues,
): string[] {
  const words = reason.trim();
  return [
    texts.reviewMove(belongingsInWords(owned), name, heir),
    keepSharing ? texts.reviewKeeps(name) : texts.reviewLoses(name),
    ...(isActive ? [deactivate ? texts.reviewDeactivates(name) : texts.reviewStays(name)] : []),
    ...(words === '' ? [] : [texts.reviewReason(words)]),
  ];
}
