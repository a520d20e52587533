import { z } from 'zod';
import { Id, IdParams, Instant, wholeList, type RouteTable } from './route.ts';

/** A message stored by the demo's mail server instead of being delivered, without its body. */
export const MailboxMessage = z.strictObject({
  _id: Id,
  /** `Kim Lee <kim@example.com>`, or only the address. */
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  receivedAt: Instant,
});
export type MailboxMessage = z.infer<typeof MailboxMessage>;

export const demoRoutes = {
  'GET /demo': {
    summary: 'Whether this is a demo, and which steps of its tour the caller has done',
    response: z.strictObject({
      isDemo: z.boolean(),
      hasTypedRow: z.boolean(),
      hasSentEmail: z.boolean(),
    }),
  },
  'GET /demo/mailbox': {
    summary: 'The messages sent by the demo, newest first; 404 without a demo',
    /** The newest MAX_MAILBOX_MESSAGES. */
    response: wholeList(MailboxMessage),
  },
  'GET /demo/mailbox/:id': {
    summary: 'One message as it arrived; 404 without a demo',
    params: IdParams,
    response: MailboxMessage.extend({ html: z.string(), text: z.string() }),
  },
} as const satisfies RouteTable;
