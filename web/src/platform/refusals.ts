/** Beside 'Access denied' for a change that the screen offered: what happened, what is kept, what to do. */
export const texts = {
  /** By the reason of the server. */
  reasons: {
    NO_OWNER_CHANGE: 'You may no longer transfer rows.',
    NOT_ROW_OWNER: 'The row is no longer yours or shared with you.',
  } as Readonly<Record<string, string>>,
  otherReason: 'Your permissions have changed.',
  next: 'Nothing was changed; what you typed is kept. Ask an administrator.',
} as const;
