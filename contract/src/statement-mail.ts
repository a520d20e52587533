import { z } from 'zod';
import { EmailBatch } from './email-sending.ts';
import { Accepted } from './jobs.ts';
import { Id, list, type RouteTable } from './route.ts';

const MAX_SENT_STATEMENTS = 500;
const statementIds = list(Id, MAX_SENT_STATEMENTS, `At most ${MAX_SENT_STATEMENTS} statements at once`);

const SentStatements = EmailBatch.extend({
  /** The statements that were not sent, with the reasons for display. */
  refused: z.array(
    z.strictObject({ statementId: Id, dealershipName: z.string(), problems: z.array(z.string()) }),
  ),
});
export type SentStatements = z.infer<typeof SentStatements>;

/** Sending of statements: with the emails, not with the months. */
export const statementMailRoutes = {
  'POST /statements/send': {
    summary: 'Sends account statements as PDF to the contacts of their dealerships, with an email template',
    body: z.strictObject({
      ids: statementIds.min(1, 'Choose at least one statement'),
      templateId: Id,
      /** The statements that may be sent once more; `true` permits all. */
      again: z.union([z.boolean(), statementIds]).optional(),
    }),
    later: true,
    takesNoKey: 'A statement that was sent before is not sent again by a repeated request.',
    status: 202,
    response: z.union([SentStatements, Accepted]),
  },
} as const satisfies RouteTable;
