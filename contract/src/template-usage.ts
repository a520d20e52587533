import { z } from 'zod';
import { Id, IdParams, Instant, wholeList, type RouteTable } from './route.ts';

/** A dealership that uses a template: as its default, or because contacts of it name it. */
const TemplateUser = z.strictObject({
  _id: Id,
  name: z.string(),
  active: z.boolean(),
  isDefault: z.boolean(),
  /** The contacts that name the template. */
  contacts: z.array(z.string()),
});

/** Where a template is used, as far as the caller sees it: dealerships in sight; their own emails, for administrators all. */
const TemplateUsage = z.strictObject({
  dealerships: z.array(TemplateUser),
  /** How many more there are; told to whoever may delete the template, since they keep it from being deleted. */
  others: z.int(),
  /** Emails that went out with it; counting ends at 10,000. */
  sent: z.int(),
  sentIsCapped: z.boolean(),
  lastSentAt: Instant.nullable(),
  /** Emails that still wait, finished as they are, and in how many merges. */
  waiting: z.int(),
  waitingMerges: z.int(),
});
export type TemplateUsage = z.infer<typeof TemplateUsage>;

export const templateUsageRoutes = {
  'GET /email-templates/usage': {
    summary: 'How many dealerships in sight use each template',
    response: wholeList(z.strictObject({ _id: Id, dealerships: z.int() })),
  },
  'GET /email-templates/:id/usage': {
    summary: 'Where a template is used, as far as the caller sees it',
    params: IdParams,
    response: TemplateUsage,
  },
} as const satisfies RouteTable;
