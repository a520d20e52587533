/** The card of the own mailbox, which General Settings shows. */
export const loadMailboxCard = async () => (await import('./MailboxCard.tsx')).MailboxCard;
