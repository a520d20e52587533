import { setImmediate } from 'node:timers/promises';
import { MAX_ATTACHMENTS_BYTES } from '@forecourt/contract/attachment-limits';
import type { Deal } from '@forecourt/contract/deals';
import type { MergePer, MessageNote } from '@forecourt/contract/email-sending';
import type { EmailTemplateInput, Preview } from '@forecourt/contract/email-templates';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField, requireFound } from '../../platform/http/errors.ts';
import type { DealershipsService } from '../dealerships/dealerships.service.ts';
import type { DealsService } from '../deals/deals.service.ts';
import type { DoNotContactService } from '../do-not-contact/do-not-contact.service.ts';
import type { EmailSettingsService, SenderAccount } from '../email-settings/email-settings.service.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { canSend } from './email-sending.policy.ts';
import {
  accountProblems,
  digestProblems,
  recipientProblems,
  statementProblems,
  templateProblems,
} from './message-problems.ts';
import { contactsFor, narrowRecipients, type Recipients } from './recipients.ts';
import { render, shownBlocks, TooLarge, type Rendered } from './render/render.ts';
import { sampleValues, sampleSubjects, type Sample } from './sample-values.ts';
import { dealFieldsIn, usedVariables } from './used-variables.ts';
import { resolveVariables } from './variable-values.ts';
import { customTexts, type DealFacts, type Subjects } from './variables.ts';

export type MessageComposerParts = {
  templates: EmailTemplatesService;
  settings: EmailSettingsService;
  dealerships: DealershipsService;
  deals: DealsService;
  doNotContact: Pick<DoNotContactService, 'find'>;
  clock: Clock;
  config: Pick<Config, 'COMPANY_NAME'>;
};

export type Request = {
  dealId?: string | undefined;
  dealershipId?: string | undefined;
  to?: string[] | undefined;
  cc?: string[] | undefined;
  variables?: Record<string, string> | undefined;
  note?: MessageNote | undefined;
  /** For a preview: sample values replace the values of the deal. */
  sample?: Sample | undefined;
};

/** An account statement to send to its dealership. */
export type MailedStatement = NonNullable<Subjects['statement']> & {
  dealershipId: string;
  dealershipName: string;
};

/** Requests one message about each deal, or one about all deals of each dealership. */
export type MergeRequest = { ids: string[]; per: MergePer; templateId?: string | undefined };

/** A saved template, or one that is being edited (`id` is null if it was never saved). */
export type Source = { id: string | null; version: number; content: EmailTemplateInput };

/** A saved template (by default the dealership's), or one that is being edited. */
type Template = { id?: string | undefined } | { written: EmailTemplateInput; id?: string | undefined };

type Dealership = NonNullable<Awaited<ReturnType<DealershipsService['forMail']>>>;

type MailedDeal = Deal & Pick<DealFacts, 'customTexts'>;

/** The parts that all messages to one dealership share. */
type SharedParts = { dealership: Dealership | undefined; source: Source; account: SenderAccount | undefined };

/** A message is about one deal, about all deals of a dealership (digest), or about a dealership alone. */
type MessageParts = SharedParts & {
  deals: MailedDeal[];
  isDigest: boolean;
  /** The account statement that the message brings. */
  statement?: Subjects['statement'];
};

/** A composed message with the reasons why it cannot be sent. */
export type Composed = Recipients & {
  source: Source;
  deals: Deal[];
  dealFields: string[];
  dealership: Dealership | undefined;
  from: Preview['from'];
  /** Maximum total bytes of the attached files. */
  maxFileBytes: number;
  rendered: Rendered;
  problems: string[];
  /** Labels of optional variables without a value. */
  emptyVariables: string[];
};

/** Number of messages composed before other requests may run. */
const BATCH_SIZE = 25;

const NO_DEFAULT = 'The dealership has no default template. Choose a template.';

/**
 * Composes messages for preview and sending alike. Values and recipients are limited to what the sender may see. The
 * contact's name is available to every sender, because they see the recipients; the dealership's address requires
 * access to the dealership.
 */
export function createMessageComposer({
  templates,
  settings,
  dealerships,
  deals,
  doNotContact,
  clock,
  config,
}: MessageComposerParts) {
  /** Returns the deals in this order. Throws unless the viewer may write about each of them. */
  async function loadDeals(ctx: Context, ids: string[]): Promise<MailedDeal[]> {
    const rows = await deals.forMail(ctx, ids);
    const refused = rows.find(({ abilities }) => abilities.email !== true);
    if (refused) throw new AppError('INSUFFICIENT_PERMISSIONS', { details: String(refused.abilities.email) });
    const custom = await deals.customFields(ctx.db, ctx.viewer);
    return rows.map((deal) => ({ ...deal, customTexts: customTexts(deal, custom) }));
  }

  /** Returns the dealership. Throws unless the viewer may write to it. */
  async function loadDealership(ctx: Context, id: string | undefined): Promise<Dealership | undefined> {
    if (id === undefined) return undefined;
    return requireFound(canSend(ctx.viewer) ? await dealerships.forMail(ctx, id) : undefined);
  }

  async function loadRecords(
    ctx: Context,
    { dealId, dealershipId }: Request,
  ): Promise<Pick<MessageParts, 'deals' | 'dealership'>> {
    const rows = dealId === undefined ? [] : await loadDeals(ctx, [dealId]);
    const [deal] = rows;
    if (deal && dealershipId !== undefined && dealershipId !== deal.dealershipId) {
      throw invalidField('dealershipId', 'The deal belongs to another dealership');
    }
    return { deals: rows, dealership: await loadDealership(ctx, deal?.dealershipId ?? dealershipId) };
  }

  /** Returns a saved template. Throws unless the viewer may open it, or the dealership uses it. */
  async function loadSource(
    ctx: Context,
    id: string | null | undefined,
    dealership: Dealership | undefined,
  ): Promise<Source> {
    if (!id) throw new AppError('SEND_REFUSED', { details: NO_DEFAULT });
    const { content, version, canOpen } = requireFound(await templates.forMail(ctx, id));
    if (!canUse(ctx.viewer, { id, name: content.name, canOpen }, dealership)) {
      throw new AppError('NOT_FOUND');
    }
    return { id, version, content };
  }

  async function loadSharedParts(
    ctx: Context,
    dealership: Dealership | undefined,
    template: Template,
  ): Promise<SharedParts> {
    const source: Source =
      'written' in template
        ? { id: template.id ?? null, version: 1, content: template.written }
        : await loadSource(ctx, template.id ?? dealership?.default_template_id, dealership);
    return { dealership, source, account: await settings.senderAccount(ctx.db, ctx.viewer.userId) };
  }

  async function compose(ctx: Context, request: Request, template: Template): Promise<Composed> {
    const records = await loadRecords(ctx, request);
    const shared = await loadSharedParts(ctx, records.dealership, template);
    const refused = await doNotContact.find(ctx, [...(request.to ?? []), ...(request.cc ?? [])]);
    return composeMessage(ctx, { ...shared, deals: records.deals, isDigest: false }, request, refused);
  }

  /** Composes one message per deal in this order, or one per dealership. Shared parts are loaded once. */
  async function composeMerge(ctx: Context, { ids, per, templateId }: MergeRequest): Promise<Composed[]> {
    const rows = await loadDeals(ctx, [...new Set(ids)]);
    const byDealership = Map.groupBy(rows, ({ dealershipId }) => dealershipId);
    const sharedParts = new Map<string | undefined, SharedParts>();
    for (const id of byDealership.keys()) {
      sharedParts.set(id, await loadSharedParts(ctx, await loadDealership(ctx, id), { id: templateId }));
    }
    const isDigest = per === 'dealership';
    const messages: Composed[] = [];
    for (const group of isDigest ? byDealership.values() : rows.map((deal) => [deal])) {
      const shared = sharedParts.get(group[0]!.dealershipId)!;
      messages.push(composeMessage(ctx, { ...shared, deals: group, isDigest }, {}));
      if (messages.length % BATCH_SIZE === 0) await setImmediate();
    }
    return messages;
  }

  /**
   * Composes one message for each statement, in this order. Throws NOT_FOUND for a template that the viewer may use for
   * none of the dealerships.
   */
  async function composeStatements(
    ctx: Context,
    statements: readonly MailedStatement[],
    templateId: string,
  ): Promise<Composed[]> {
    const { content, version, canOpen } = requireFound(await templates.forMail(ctx, templateId));
    const source: Source = { id: templateId, version, content };
    const account = await settings.senderAccount(ctx.db, ctx.viewer.userId);
    const unsuitable = statementProblems(content);
    const messages: Composed[] = [];
    let isUsable = false;
    for (const statement of statements) {
      const { dealershipId, dealershipName } = statement;
      const dealership = canSend(ctx.viewer) ? await dealerships.forMail(ctx, dealershipId) : undefined;
      const mayUse = canUse(ctx.viewer, { id: templateId, name: content.name, canOpen }, dealership);
      isUsable ||= mayUse;
      const parts = { dealership, source, account, deals: [], isDigest: false, statement };
      const message = composeMessage(ctx, parts, {});
      if (!dealership) message.problems = [`You may not write to ${dealershipName}.`];
      else if (!mayUse) message.problems = [`You may not use ${content.name} for ${dealershipName}.`];
      else if (unsuitable.length > 0) message.problems = unsuitable;
      messages.push(message);
      if (messages.length % BATCH_SIZE === 0) await setImmediate();
    }
    if (!isUsable) throw new AppError('NOT_FOUND');
    return messages;
  }

  function composeMessage(
    ctx: Context,
    { dealership, source, account, deals: subjectDeals, isDigest, statement }: MessageParts,
    request: Pick<Request, 'to' | 'cc' | 'variables' | 'note' | 'sample'>,
    refused?: ReadonlyMap<string, { reason: string }>,
  ): Composed {
    const sender = { name: ctx.viewer.name, email: ctx.viewer.email };
    const contacts = dealership
      ? contactsFor(dealership.contacts, source.content.name, dealership.default_template_id === source.id)
      : { to: [], cc: [], isTest: false };
    const recipients = narrowRecipients(contacts, sender, request, refused);
    const deal = isDigest ? undefined : subjectDeals[0];
    const real: Subjects = {
      deal,
      deals: subjectDeals,
      dealership: dealership && {
        name: dealership.name,
        address: dealership.canOpen ? dealership.address : undefined,
      },
      contact: recipients.isTest ? contacts.to[0] : recipients.to[0],
      sender,
      company: { name: config.COMPANY_NAME },
      statement,
      today: clock.businessDate(),
      timeZone: clock.timeZone,
    };
    const { variables } = source.content;
    const subjects = request.sample ? sampleSubjects(request.sample, real) : real;
    const { values, tables, missing } = resolveVariables(
      variables,
      { ...sampleValues(request.sample, variables), ...request.variables },
      subjects,
    );
    // Only a preview has missing values: it shows the label in their place.
    for (const { key, label } of missing) values.set(key, `[${label || key}]`);
    const unsuitable = isDigest ? digestProblems(source.content) : [];
    const problems = [
      ...templateProblems(source.content),
      ...unsuitable,
      ...accountProblems(account),
      ...(recipients.isTest ? [] : recipientProblems(dealership, source.content, recipients)),
      // If the template is unsuitable for a digest, missing values are not reported too.
      ...(unsuitable.length > 0 ? [] : missing).map(
        ({ key, label }) =>
          `${label || key} has no value${subjects.deal?.customerName ? ` in the deal of ${subjects.deal.customerName}` : ''}.`,
      ),
    ];
    return {
      ...recipients,
      source,
      deals: subjectDeals,
      dealFields: subjectDeals.length > 0 ? dealFieldsIn(source.content) : [],
      dealership,
      from: account ? { name: sender.name, email: account.fromAddress } : null,
      maxFileBytes: account?.maxFileBytes ?? MAX_ATTACHMENTS_BYTES,
      rendered: renderOrAddProblem(problems, () => render(source.content, values, tables, request.note)),
      problems,
      emptyVariables: unsuitable.length > 0 ? [] : emptyIn(source.content, values),
    };
  }

  /** Returns the active templates that the viewer may use for a deal, by the rule of `loadSource`. */
  async function listUsableTemplates(ctx: Context, dealId: string) {
    const { dealership } = await loadRecords(ctx, { dealId });
    const usable = (await templates.listForMail(ctx)).filter(
      ({ isActive, ...template }) => isActive && canUse(ctx.viewer, template, dealership),
    );
    return usable
      .map(({ id, name }) => ({ _id: id, name, isDefault: dealership?.default_template_id === id }))
      .sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
  }

  return { compose, composeMerge, composeStatements, listUsableTemplates };
}

export type MessageComposer = ReturnType<typeof createMessageComposer>;

/** Throws SEND_REFUSED with all problems of the first message that has any. */
export function requireSendable(messages: Composed[]): void {
  const refused = messages.find(({ problems }) => problems.length > 0);
  if (refused) throw new AppError('SEND_REFUSED', { details: refused.problems.join(' ') });
}

/** A viewer may use templates that they may open, and templates that the dealership uses. */
function canUse(
  viewer: Viewer,
  template: { id: string; name: string; canOpen: boolean },
  dealership: Dealership | undefined,
): boolean {
  const isUsedThere =
    dealership?.default_template_id === template.id ||
    dealership?.contacts.some(
      ({ active, templateName }) => active && templateName.toLowerCase() === template.name.toLowerCase(),
    );
  return template.canOpen || (canSend(viewer) && isUsedThere === true);
}

/** A variable inside a hidden conditional block does not count as empty. */
function emptyIn(content: EmailTemplateInput, values: Map<string, string>): string[] {
  const document = { blocks: shownBlocks(content.document, values) };
  return usedVariables({ ...content, document })
    .filter(({ key }) => !values.get(key)?.trim())
    .map(({ key, label }) => label || key);
}

function renderOrAddProblem(problems: string[], renderMessage: () => Rendered): Rendered {
  try {
    return renderMessage();
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    problems.push('The message is too large to send.');
    return { subject: '', html: '', text: '' };
  }
}
