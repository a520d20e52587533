import { z } from 'zod';
import { Id, IdParams, Instant, wholeList, type RouteTable } from './route.ts';

/** A dealership that uses a template as its default or for its contacts. */
const TemplateUser = z.strictObject({
  _id: Id,
  name: z.string(),
  active: z.boolean(),
  isDefault: z.boolean(),
  /** Names of the contacts that use the template. */
  contacts: z.array(z.string()),
});

/** Where a template is used: visible dealerships, and the caller's own emails (for administrators all). */
const TemplateUsage = z.strictObject({
  dealerships: z.array(TemplateUser),
  /** Number of hidden dealerships that block deletion. Only for callers who may delete the template. */
  others: z.int(),
  /** Number of emails sent with the template; counting stops at 10,000. */
  sent: z.int(),
  sentIsCapped: z.boolean(),
  lastSentAt: Instant.nullable(),
  /** Number of queued emails, which are already rendered, and of the mail merges that they belong to. */
  waiting: z.int(),
  waitingMerges: z.int(),
});
export type TemplateUsage = z.infer<typeof TemplateUsage>;

export const templateUsageRoutes = {
  'GET /email-templates/usage': {
    summary: 'The number of visible dealerships that use each template',
    response: wholeList(z.strictObject({ _id: Id, dealerships: z.int() })),
  },
  'GET /email-templates/:id/usage': {
    summary: 'The records visible to the caller in which a template is used',
    params: IdParams,
    response: TemplateUsage,
  },
} as const satisfies RouteTable;
