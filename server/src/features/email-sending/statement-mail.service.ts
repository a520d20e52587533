import type { SentStatements } from '@forecourt/contract/statement-mail';
import type { ClosedStatement } from '@forecourt/contract/statements';
import { inTransaction, type Context, type TxContext } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Progress } from '../../platform/jobs/progress.ts';
import type { StatementFilesService } from '../months/statement-files.service.ts';
import type { StatementsService } from '../months/statements.service.ts';
import type { EmailAttachments } from './email-attachments.service.ts';
import { requireSendable, type Composed, type MessageComposer } from './message-composer.ts';
import type { Outbox } from './outbox.ts';
import { addressesOf } from './recipients.ts';

export type StatementMailParts = {
  statements: Pick<StatementsService, 'listForMail' | 'lockForMail' | 'noteSent'>;
  statementFiles: Pick<StatementFilesService, 'pdf'>;
  progress: Pick<Progress, 'respond'>;
};

type Request = { ids: string[]; templateId: string; again?: boolean | string[] | undefined };
type File = { name: string; content: Buffer };
type Sent = { statement: ClosedStatement; message: Composed };

/** Sends account statements to their dealerships (docs/product/month-close.md, Sending). */
export function createStatementMail(
  { statements, statementFiles, progress }: StatementMailParts,
  { composeStatements }: MessageComposer,
  outbox: Outbox,
  attachments: EmailAttachments,
) {
  async function compose(ctx: Context, all: readonly ClosedStatement[], templateId: string): Promise<Sent[]> {
    const mailed = all.map(({ number, month, totals, recipientId, recipientName }) => ({
      number,
      month,
      total: totals.total,
      dealershipId: recipientId,
      dealershipName: recipientName,
    }));
    const messages = await composeStatements(ctx, mailed, templateId);
    return all.map((statement, index) => ({ statement, message: messages[index]! }));
  }

  /** Queues the messages of all dealerships that can be sent to, with their notes. */
  async function queue(
    ctx: TxContext,
    { ids, templateId, again }: Request,
    files: ReadonlyMap<string, File>,
  ): Promise<SentStatements> {
    const composed = await compose(ctx, await statements.lockForMail(ctx, ids), templateId);
    const [refused, sent] = [composed.filter(isRefused), composed.filter((one) => !isRefused(one))];
    if (sent.length === 0) requireSendable(refused.map(({ message }) => message));
    if (again !== true) requireNotSent(sent, new Set(again || []));
    const ownFiles = new Map<Composed, Awaited<ReturnType<EmailAttachments['addForMessage']>>>();
    for (const { statement, message } of sent) {
      const { name, content } = files.get(statement._id)!;
      ownFiles.set(message, await attachments.addForMessage(ctx, name, content));
    }
    const batchId = newId();
    await outbox.enqueue(
      ctx,
      sent.map(({ message }) => message),
      { batchId, ownFiles },
    );
    await statements.noteSent(
      ctx,
      sent.map(({ statement, message }) => ({
        statement,
        addresses: [...addressesOf(message.to), ...addressesOf(message.cc)],
      })),
    );
    return {
      _id: batchId,
      total: sent.length,
      counts: { queued: sent.length },
      refused: refused.map(({ statement, message }) => ({
        statementId: statement._id,
        dealershipName: statement.recipientName,
        problems: message.problems,
      })),
    };
  }

  return {
    /**
     * Sends each statement as PDF to the contacts of its dealership, and returns those that cannot be sent with the
     * reasons. Throws a 400 about statements that are superseded or of a person, SEND_REFUSED if none can be sent, and
     * ALREADY_SENT unless `again` is `true` or names the statements that were sent before; then nothing is sent.
     */
    async send(ctx: Context, request: Request) {
      const listed = await statements.listForMail(ctx, request.ids);
      const requested = new Map(listed.map((statement) => [statement._id, statement]));
      return progress.respond(ctx.viewer, 'statements', async (report, signal) => {
        // Before the transaction, which would be open for as long as the files take.
        const files = new Map<string, File>();
        for (const statement of requested.values()) {
          signal.throwIfAborted();
          const [done, total] = [files.size, requested.size];
          report('statements', (done / total) * 100, { done, total });
          const file = await statementFiles.pdf(ctx, statement);
          await attachments.prepare(file.content);
          files.set(statement._id, file);
        }
        // The work may outlive its request.
        const later: Context = { ...ctx, afterCommit: (task) => task() };
        return inTransaction(later, (inner) =>
          queue(inner, { ...request, ids: [...requested.keys()] }, files),
        );
      });
    },
  };
}

const isRefused = ({ message }: Sent): boolean => message.problems.length > 0;

/** Throws ALREADY_SENT with the first statement that was sent before. */
function requireNotSent(sent: readonly Sent[], again: ReadonlySet<string>): void {
  for (const { statement } of sent) {
    const note = statement.notes.findLast(({ kind }) => kind === 'sent');
    if (!note || again.has(statement._id)) continue;
    throw new AppError('ALREADY_SENT', {
      details: `${note.byName} has sent ${statement.number} to ${statement.recipientName} before. Nothing was sent now.`,
      current: { senderName: note.byName, createdAt: note.at, sentAt: null, isUnconfirmed: false },
    });
  }
}
