import type { SMTPConnectionCustomAuthHandler } from 'nodemailer/lib/smtp-connection';

/**
 * Tests whether a server would accept mail from an address, and resets the transaction. nodemailer accepts custom
 * commands only in an authentication method; so this is written as one.
 */
export const createSenderProbe =
  (address: string): SMTPConnectionCustomAuthHandler =>
  async (ctx) => {
    const response = await ctx.sendCommand(`MAIL FROM:<${address}>`);
    if (response.status >= 400) throw new Error('sender refused');
    await ctx.sendCommand('RSET');
  };
