import { z } from 'zod';
import { Id, IdParams, Instant, wholeList, type RouteTable } from './route.ts';

/** A message that the demo's mail server kept instead of passing it on, without its words. */
export const KeptMessage = z.strictObject({
  _id: Id,
  /** `Kim Lee <kim@example.com>`, or the address alone. */
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  receivedAt: Instant,
});
export type KeptMessage = z.infer<typeof KeptMessage>;

export const demoRoutes = {
  'GET /demo': {
    summary: 'Whether this is a demo, and what the caller has tried in it',
    response: z.strictObject({
      isDemo: z.boolean(),
      hasTypedRow: z.boolean(),
      hasSentEmail: z.boolean(),
    }),
  },
  'GET /demo/mailbox': {
    summary: 'What the demo sent, newest first; 404 where there is no demo',
    /** The newest 200. */
    response: wholeList(KeptMessage),
  },
  'GET /demo/mailbox/:id': {
    summary: 'One message as it arrived; 404 where there is no demo',
    params: IdParams,
    response: KeptMessage.extend({ html: z.string(), text: z.string() }),
  },
} as const satisfies RouteTable;
