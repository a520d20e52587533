import type { SMTPConnectionCustomAuthHandler } from 'nodemailer/lib/smtp-connection';

/**
 * Asks a server whether it would take mail from an address, and takes the question back. nodemailer lets own
 * commands through in one place only, a method of signing in; so it is written as one.
 */
export const askForSender =
  (address: string): SMTPConnectionCustomAuthHandler =>
  async (ctx) => {
    const answer = await ctx.sendCommand(`MAIL FROM:<${address}>`);
    if (answer.status >= 400) throw new Error('sender refused');
    await ctx.sendCommand('RSET');
  };
