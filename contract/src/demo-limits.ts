/** Maximum messages in the mailbox of a demo; the oldest is deleted. */
export const MAX_MAILBOX_MESSAGES = 200;
