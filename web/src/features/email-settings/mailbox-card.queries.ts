export const loadMailboxCard = async () => (await import('./MailboxCard.tsx')).MailboxCard;
