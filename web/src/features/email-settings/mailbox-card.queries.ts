/** The card of the user's mailbox, for General Settings. */
export const loadMailboxCard = async () => (await import('./MailboxCard.tsx')).MailboxCard;
