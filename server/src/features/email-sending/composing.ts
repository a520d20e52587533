import { setImmediate } from 'node:timers/promises';
import type { Deal } from '@forecourt/contract/deals';
import type { MergePer } from '@forecourt/contract/email-sending';
import type { EmailTemplateInput, Preview } from '@forecourt/contract/email-templates';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import type { DealershipsService } from '../dealerships/dealerships.service.ts';
import type { DealsService } from '../deals/deals.service.ts';
import type { EmailSettingsService, SenderAccount } from '../email-settings/email-settings.service.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import type { DealTable } from './deal-table.ts';
import { canSend } from './email-sending.policy.ts';
import { digestProblems, recipientProblems, templateProblems } from './message-problems.ts';
import { contactsFor, narrowed, type Recipients } from './recipients.ts';
import { render, TooLarge, type Rendered } from './render/render.ts';
import { sampleGiven, sampleSubjects, type Sample } from './sample-values.ts';
import { dealFieldsIn } from './used-variables.ts';
import { resolveVariables, type Subjects } from './variable-values.ts';

export type ComposingParts = {
  templates: EmailTemplatesService;
  settings: EmailSettingsService;
  dealerships: DealershipsService;
  deals: DealsService;
  clock: Clock;
  config: Pick<Config, 'COMPANY_NAME'>;
};

/** What a message is asked to be: about which records, for whom, with which values. */
export type Request = {
  dealId?: string | undefined;
  dealershipId?: string | undefined;
  to?: string[] | undefined;
  cc?: string[] | undefined;
  variables?: Record<string, string> | undefined;
  /** For a preview: in place of what the deal says. */
  sample?: Sample | undefined;
};

/** A template as it is saved, or as somebody is writing it. */
export type Source = { id: string | null; version: number; content: EmailTemplateInput };

/** One that is saved, the dealership's default where none is named, or one that is being written. */
type Template = { id?: string | undefined } | { written: EmailTemplateInput; id?: string | undefined };

type Dealership = NonNullable<Awaited<ReturnType<DealershipsService['forMail']>>>;

/** What a message is about: one deal, all of a dealership's in a digest, or a dealership alone. */
type About = { deals: Deal[]; isDigest: boolean; dealership: Dealership | undefined };

/** With what a message is written and sent. */
type Means = { source: Source; account: SenderAccount | undefined };

/** A message as it would go out, and the sentences that say why it cannot. */
export type Composed = Recipients & {
  source: Source;
  deals: Deal[];
  /** The fields of its deals that the message tells, such as `saleAmount`. */
  dealFields: string[];
  dealership: Dealership | undefined;
  from: Preview['from'];
  rendered: Rendered;
  problems: string[];
};

/** Messages that are put together before others have their turn. */
const AT_A_STRETCH = 25;

const NO_DEFAULT = 'The dealership has no default template. Choose a template.';

const NOTHING: Rendered = { subject: '', html: '', text: '' };

/**
 * Puts messages together, for preview and send alike, so that what is shown is what goes out. Values and
 * recipients come from what the sender may see. The name of the contact is told to whoever may send, since
 * they see the recipients; the dealership's address is for those who may open it.
 */
export function createComposing({ templates, settings, dealerships, deals, clock, config }: ComposingParts) {
  /** These deals in this order. Throws where the viewer may not write about one of them. */
  async function mailable(ctx: Context, ids: string[]): Promise<Deal[]> {
    const found = await deals.forMail(ctx, ids);
    const refused = found.find(({ abilities }) => abilities.email !== true);
    if (refused) throw new AppError('INSUFFICIENT_PERMISSIONS', { details: String(refused.abilities.email) });
    return found;
  }

  /** The dealership, for those who may write to it. */
  async function addressed(ctx: Context, id: string | undefined): Promise<Dealership | undefined> {
    if (id === undefined) return undefined;
    const dealership = canSend(ctx.viewer) ? await dealerships.forMail(ctx, id) : undefined;
    if (!dealership) throw new AppError('NOT_FOUND');
    return dealership;
  }

  /** The records that a message is about. Throws where the viewer may not write about them. */
  async function recordsOf(ctx: Context, { dealId, dealershipId }: Request): Promise<About> {
    const about = dealId === undefined ? [] : await mailable(ctx, [dealId]);
    const [deal] = about;
    if (deal && dealershipId !== undefined && dealershipId !== deal.dealershipId) {
      throw invalidField('dealershipId', 'The deal belongs to another dealership');
    }
    const dealership = await addressed(ctx, deal?.dealershipId ?? dealershipId);
    return { deals: about, isDigest: false, dealership };
  }

  /** The saved template, for those who may open it or, where the dealership uses it, may send with it. */
  async function savedSource(
    ctx: Context,
    id: string | null | undefined,
    dealership: Dealership | undefined,
  ): Promise<Source> {
    if (!id) throw new AppError('SEND_REFUSED', { details: NO_DEFAULT });
    const found = await templates.forMail(ctx, id);
    if (!found) throw new AppError('NOT_FOUND');
    const { id: _id, version, ...content } = found.template;
    if (!mayUse(ctx.viewer, { id, name: content.name, mayOpen: found.mayOpen }, dealership)) {
      throw new AppError('NOT_FOUND');
    }
    return { id, version, content };
  }

  /** With what the viewer writes to a dealership. */
  async function meansFor(
    ctx: Context,
    dealership: Dealership | undefined,
    template: Template,
  ): Promise<Means> {
    const source: Source =
      'written' in template
        ? { id: template.id ?? null, version: 1, content: template.written }
        : await savedSource(ctx, template.id ?? dealership?.default_template_id, dealership);
    return { source, account: await settings.senderAccount(ctx.db, ctx.viewer.userId) };
  }

  async function compose(ctx: Context, request: Request, template: Template): Promise<Composed> {
    const about = await recordsOf(ctx, request);
    return composeAbout(ctx, about, await meansFor(ctx, about.dealership, template), request);
  }

  /**
   * One message for each of these deals in their order, or one for each of their dealerships about all of its deals.
   * What the messages to a dealership have in common is read once.
   */
  async function composeMerge(
    ctx: Context,
    { ids, per, template }: { ids: string[]; per: MergePer; template: Template },
  ): Promise<Composed[]> {
    const found = await mailable(ctx, ids);
    const ofEach = Map.groupBy(found, ({ dealershipId }) => dealershipId);
    const common = new Map<string | undefined, { dealership: Dealership | undefined; means: Means }>();
    for (const id of ofEach.keys()) {
      const dealership = await addressed(ctx, id);
      common.set(id, { dealership, means: await meansFor(ctx, dealership, template) });
    }
    const isDigest = per === 'dealership';
    const messages: Composed[] = [];
    for (const about of isDigest ? ofEach.values() : found.map((deal) => [deal])) {
      const { dealership, means } = common.get(about[0]!.dealershipId)!;
      messages.push(composeAbout(ctx, { deals: about, isDigest, dealership }, means, {}));
      // Others have their turn meanwhile.
      if (messages.length % AT_A_STRETCH === 0) await setImmediate();
    }
    return messages;
  }

  function composeAbout(
    ctx: Context,
    { deals: about, isDigest, dealership }: About,
    { source, account }: Means,
    request: Pick<Request, 'to' | 'cc' | 'variables' | 'sample'>,
  ): Composed {
    const sender = { name: ctx.viewer.name, email: ctx.viewer.email };
    const contacts = dealership
      ? contactsFor(dealership.contacts, source.content.name, dealership.default_template_id === source.id)
      : { to: [], cc: [], isTest: false };
    const recipients = narrowed(contacts, sender, request);
    const deal = isDigest ? undefined : about[0];
    const real: Subjects = {
      deal,
      deals: about,
      dealership: dealership && {
        name: dealership.name,
        address: dealership.mayOpen ? dealership.address : undefined,
      },
      contact: recipients.isTest ? contacts.to[0] : recipients.to[0],
      sender,
      company: { name: config.COMPANY_NAME },
      today: clock.businessDate(),
    };
    const { variables } = source.content;
    const subjects = request.sample ? sampleSubjects(request.sample, real) : real;
    const { values, tables, missing } = resolveVariables(
      variables,
      { ...sampleGiven(request.sample, variables), ...request.variables },
      subjects,
    );
    // Never sent like this; a preview shows where something is missing.
    for (const { key, label } of missing) values.set(key, `[${label || key}]`);
    const unfit = isDigest ? digestProblems(source.content) : [];
    const problems = [
      ...templateProblems(source.content),
      ...unfit,
      ...(account
        ? []
        : ['Your mail server is not configured. Ask an administrator to set it up in Email Settings.']),
      ...(account?.pausedBecause ? [account.pausedBecause] : []),
      ...(recipients.isTest ? [] : recipientProblems(dealership, source.content, recipients)),
      // Of a template that is none for a digest nobody need look for values.
      ...(unfit.length > 0 ? [] : missing).map(
        ({ key, label }) =>
          `${label || key} has no value${subjects.deal?.customerName ? ` in the deal of ${subjects.deal.customerName}` : ''}.`,
      ),
    ];
    return {
      ...recipients,
      source,
      deals: about,
      dealFields: about.length > 0 ? dealFieldsIn(source.content) : [],
      dealership,
      from: account ? { name: sender.name, email: account.fromAddress } : null,
      rendered: renderOr(problems, source, values, tables),
      problems,
    };
  }

  /** The active templates that the viewer may send about a deal: `savedSource` as a list. */
  async function usableFor(ctx: Context, dealId: string) {
    const { dealership } = await recordsOf(ctx, { dealId });
    const usable = (await templates.listForMail(ctx)).filter(
      ({ isActive, ...template }) => isActive && mayUse(ctx.viewer, template, dealership),
    );
    return usable
      .map(({ id, name }) => ({ _id: id, name, isDefault: dealership?.default_template_id === id }))
      .sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
  }

  return { compose, composeMerge, usableFor };
}

export type Composing = ReturnType<typeof createComposing>;

/** Throws SEND_REFUSED with all that is in the way of the first of these that cannot go out. */
export function requireSendable(messages: Composed[]): void {
  const refused = messages.find(({ problems }) => problems.length > 0);
  if (refused) throw new AppError('SEND_REFUSED', { details: refused.problems.join(' ') });
}

/** Who may open a template may use it; others where the dealership's mail is written with it anyway. */
function mayUse(
  viewer: Viewer,
  template: { id: string; name: string; mayOpen: boolean },
  dealership: Dealership | undefined,
): boolean {
  const isUsedThere =
    dealership?.default_template_id === template.id ||
    dealership?.contacts.some(
      ({ active, templateName }) => active && templateName.toLowerCase() === template.name.toLowerCase(),
    );
  return template.mayOpen || (canSend(viewer) && isUsedThere === true);
}

function renderOr(
  problems: string[],
  source: Source,
  values: Map<string, string>,
  tables: Map<string, DealTable>,
): Rendered {
  try {
    return render(source.content, values, tables);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    problems.push('The message is too large to send.');
    return NOTHING;
  }
}
