import { z } from 'zod';
import { Id, IdParams, Instant, wholeList, type RouteTable } from './route.ts';

/** A dealership that uses a template: as its default, or in its contacts. */
const TemplateUser = z.strictObject({
  _id: Id,
  name: z.string(),
  active: z.boolean(),
  isDefault: z.boolean(),
  /** Names of the contacts that use the template. */
  contacts: z.array(z.string()),
});

/**
 * Where a template is used, as far as the caller may see: visible dealerships; the caller's own emails, or all for
 * administrators.
 */
const TemplateUsage = z.strictObject({
  dealerships: z.array(TemplateUser),
  /**
   * Number of dealerships that are not visible to the caller but block deletion; only for callers who may delete the
   * template.
   */
  others: z.int(),
  /** Emails sent with it; counting stops at 10,000. */
  sent: z.int(),
  sentIsCapped: z.boolean(),
  lastSentAt: Instant.nullable(),
  /** Queued emails, already rendered, and the number of mail merges that they belong to. */
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
